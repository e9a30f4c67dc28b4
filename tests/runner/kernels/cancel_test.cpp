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

// A million elements or a few where the rank is the usual one.
std::vector<Value> largeInputs(const NodeDraft& draft, const OpSpec& spec, Dice& dice)
{
    constexpr std::int64_t sides[] = {1 << 21, 1500, 128, 40};
    constexpr std::int64_t most[] = {1 << 22, 2048, 160, 64}; // of a side at each rank
    const std::size_t usual = 1 + dice.below(std::size(sides));
    std::vector<Value> inputs;
    for (const DType type : wantedTypes(draft, spec)) {
        Dims dims = squareDims(rankOf(spec, inputs.size()), usual, sides[usual - 1]);
        if (!inputs.empty() && dice.below(3) == 0)
            dims = dice.of<Dims>({{}, {std::int64_t(usual)}, {sides[usual - 1]}});
        if (!dims.empty())
            for (std::int64_t& side : dims)
                side = std::min(side, most[std::min(dims.size(), std::size(most)) - 1]);
        inputs.push_back(anyValue(type == DType::Invalid ? DType::Float : type, dims, dice));
    }
    return inputs;
}

// Nothing where the run ended before it was cancelled.
std::optional<Sample> runCancelled(const NodeDraft& node, const std::vector<Value>& inputs,
                                   std::chrono::milliseconds moment)
{
    std::stop_source source;
    std::stop_source done;
    Clock::time_point cancelled;
    double worked = 0;
    std::jthread alarm([&] {
        const auto end = Clock::now() + moment;
        while (Clock::now() < end && !done.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        worked = workedMilliseconds();
        cancelled = Clock::now();
        source.request_stop();
    });
    const auto answer = runCulprit(node, inputs, Job(source.get_token()), std::uint64_t(1) << 30);
    const auto end = Clock::now();
    const double workedAtEnd = workedMilliseconds();
    done.request_stop();
    alarm.join();
    if (answer || answer.error().code != ErrorCode::Cancelled)
        return std::nullopt;
    return Sample{node.op, milliseconds(end - cancelled), workedAtEnd - worked};
}

// An op, and the dice with which its node takes long. The inputs themselves would fill the memory.
struct LongRun {
    const OpSpec* spec = nullptr;
    Dice dice;
};

std::optional<Sample> runCancelled(const LongRun& run, std::chrono::milliseconds moment)
{
    Dice dice = run.dice;
    const NodeDraft node = anyNode(*run.spec, dice);
    return runCancelled(node, largeInputs(node, *run.spec, dice), moment);
}

// Nodes that still ran when they were cancelled: of every op, or the first `most`.
std::vector<LongRun> findLongRuns(int triesOfEach, std::size_t most)
{
    constexpr std::chrono::milliseconds moment{30};
    std::vector<LongRun> all;
    forEachOp([&](const OpSpec& spec, Dice& dice) {
        for (int i = 0; i < triesOfEach && all.size() < most && !spec.inputs.empty(); ++i) {
            dice.below(2);
            const LongRun run{&spec, dice};
            if (runCancelled(run, moment))
                all.push_back(run);
        }
    });
    return all;
}

std::vector<Sample> collect(std::size_t wanted)
{
    const bool isThorough = wanted >= 100;
    const auto all = findLongRuns(isThorough ? 4 : 1, isThorough ? SIZE_MAX : 5);
    std::vector<Sample> samples;
    Dice dice;
    for (std::size_t i = 0; !all.empty() && samples.size() < wanted && i < 4 * wanted; ++i) {
        const std::chrono::milliseconds moment(1 + dice.below(250));
        if (auto sample = runCancelled(all[i % all.size()], moment))
            samples.push_back(std::move(*sample));
    }
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
    if (asked == nullptr)
        return; // ten runs on a machine that may be busy say that runs end, not how soon
    std::ranges::sort(samples, {}, &Sample::worked);
    CHECK(samples[samples.size() * 95 / 100].worked < 100);
    CHECK(samples.back().worked < 500);
}

} // namespace lapidary
