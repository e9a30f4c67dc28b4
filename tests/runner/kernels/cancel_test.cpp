// SPDX-License-Identifier: Apache-2.0
// How soon a run ends after it was cancelled, whatever kernel it is in. Nodes and large inputs are
// made by machine for every op; each run is cancelled at a random moment, and where it had not
// ended by then, the time from there to its end counts. LAPIDARY_CANCEL_RUNS says how many such
// runs are wanted (10): at 1,000, figures of the whole table of kernels come out.
#include "tests/catch.h"
#include "tests/runner/kernels/any_node.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <stop_token>
#include <thread>

#include <time.h>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

// What this process has worked. A busy machine does not make it longer.
double workedMilliseconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

struct Sample {
    std::string op;
    double waited = 0; // milliseconds from the cancel to the end
    double worked = 0; // of the processor, in this time
};

// Shapes of a few million elements, and those that go with them as sizes and the like.
Dims largeDims(Dice& dice)
{
    return dice.of<Dims>({{1 << 20},
                          {1 << 22},
                          {1024, 1024},
                          {2000, 2000},
                          {1 << 18, 4},
                          {4, 1 << 18},
                          {64, 64, 256},
                          {1, 512, 512, 8},
                          {8, 64, 64, 64},
                          {1, 16, 64, 64, 16},
                          {200, 200, 100}});
}

Dims companionDims(const Dims& main, Dice& dice)
{
    switch (dice.below(8)) {
    case 0: return {};
    case 1: return {std::int64_t(main.size())};
    case 2: return main.empty() ? Dims{} : Dims{main.back()};
    case 3: return main.empty() ? Dims{} : Dims{main.front()};
    case 4: return {3, 3, main.empty() ? 1 : main.back(), 8};
    case 5: return anyDims(dice);
    default: return main;
    }
}

std::vector<Value> largeInputs(const NodeDraft& draft, const OpSpec& spec, Dice& dice)
{
    const NodePtr node = draft.finish();
    std::vector<Value> inputs;
    const Dims main = largeDims(dice);
    for (const DType type : inputDtypes(*node, spec)) {
        const Dims dims = inputs.empty() && dice.below(4) != 0 ? main : companionDims(main, dice);
        inputs.push_back(anyValue(type == DType::Invalid ? DType::Float : type, dims, dice));
    }
    return inputs;
}

// Runs of every op with large inputs, until enough of them were still going when they were
// cancelled.
class Canceller {
public:
    std::optional<Sample> run(const NodeDraft& node, const std::vector<Value>& inputs, Dice& dice)
    {
        std::stop_source source;
        Clock::time_point cancelled;
        double worked = 0;
        const auto moment = std::chrono::milliseconds(1 + dice.below(250));
        std::stop_source done;
        std::jthread alarm([&] {
            const auto end = Clock::now() + moment;
            while (Clock::now() < end && !done.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            worked = workedMilliseconds();
            cancelled = Clock::now();
            source.request_stop();
        });
        const auto answer =
            runCulprit(node, inputs, Job(source.get_token()), std::uint64_t(1) << 30);
        const auto end = Clock::now();
        const double workedAtEnd = workedMilliseconds();
        done.request_stop();
        alarm.join();
        if (answer || answer.error().code != ErrorCode::Cancelled)
            return std::nullopt;
        return Sample{node.op, milliseconds(end - cancelled), workedAtEnd - worked};
    }
};

std::vector<Sample> collect(std::size_t wanted)
{
    std::vector<Sample> samples;
    Canceller canceller;
    for (int round = 0; samples.size() < wanted && round < 100; ++round)
        forEachOp([&](const OpSpec& spec, Dice& dice) {
            if (samples.size() >= wanted || spec.inputs.empty())
                return;
            for (int skip = 0; skip < round; ++skip)
                dice.below(2); // other nodes in each round
            const NodeDraft node = anyNode(spec, dice);
            if (auto sample = canceller.run(node, largeInputs(node, spec, dice), dice))
                samples.push_back(std::move(*sample));
        });
    return samples;
}

void print(std::vector<Sample>& samples)
{
    std::map<std::string, double> worst;
    for (const Sample& sample : samples)
        worst[sample.op] = std::max(worst[sample.op], sample.worked);
    for (const auto& [op, worked] : worst)
        if (worked > 50)
            std::cout << op << ": " << worked << " ms of work after the cancel\n";
    for (const auto member : {&Sample::waited, &Sample::worked}) {
        std::ranges::sort(samples, {}, member);
        std::cout << samples.size() << " runs of " << worst.size() << " ops cancelled, "
                  << (member == &Sample::waited ? "waited" : "worked") << " ms: half within "
                  << samples[samples.size() / 2].*member << ", 95 % within "
                  << samples[samples.size() * 95 / 100].*member << ", all within "
                  << samples.back().*member << '\n';
    }
}

} // namespace

TEST_CASE("runs end soon after they were cancelled, in any kernel", "[kernels][cancel]")
{
    const char* const asked = std::getenv("LAPIDARY_CANCEL_RUNS"); // NOLINT(concurrency-mt-unsafe)
    auto samples = collect(asked != nullptr ? std::size_t(std::atoi(asked)) : 10);
    REQUIRE(!samples.empty());
    print(samples);
    std::ranges::sort(samples, {}, &Sample::worked);
    // Without optimization, and checked, kernels take tens of times as long between two looks.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(samples[samples.size() * 95 / 100].worked < 100);
    CHECK(samples.back().worked < 500);
#endif
}

} // namespace lapidary
