// SPDX-License-Identifier: Apache-2.0
// How soon a run ends after it was cancelled, whatever kernel it is in. Nodes and large inputs are
// made by machine for every op; each run is cancelled at a random moment, and where it had not
// ended by then, the time from there to its end counts. LAPIDARY_CANCEL_RUNS says how many such
// runs are wanted (10): from 100 on, all ops are searched for runs that take long, for at most
// LAPIDARY_CANCEL_SEARCH seconds (150), and those are cancelled by turns.
#include "graph_model/graph/attr_lists.h"
#include "tests/catch.h"
#include "tests/runner/kernels/any_node.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
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

// Returns the CPU time of this process, which a busy machine does not change.
double workedMilliseconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

struct Sample {
    std::string op;
    double waited = 0; // milliseconds from the cancellation to the end
    double worked = 0; // of the processor, in the same time
};

// A pattern of some thousand elements again and again, or numbers that are all different: what is
// sorted, hashed or counted takes longest then.
void fillLarge(std::span<char> bytes, std::size_t size, Dice& dice)
{
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    const bool areDifferent = dice.below(3) == 0 && size >= 4 && size <= 8;
    const std::size_t pattern = std::min(bytes.size(), 4096 * size);
    for (std::size_t at = areDifferent ? 0 : pattern; at < bytes.size();) {
        const std::uint64_t number = (at / size * odd) >> (dice.below(2) == 0 ? 40 : 33);
        const std::size_t length =
            std::min(bytes.size() - at, areDifferent ? size : std::min(at, pattern));
        std::memcpy(&bytes[at], areDifferent ? reinterpret_cast<const char*>(&number) : &bytes[0],
                    length);
        at += length;
    }
}

Value largeStrings(const Dims& dims, std::size_t count, Dice& dice)
{
    const Value pattern = anyValue(DType::String, {4096}, dice);
    const bool areDifferent = dice.below(3) == 0;
    std::vector<std::string> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(areDifferent ? std::to_string(i * 7919) : pattern.strings()[i % 4096]);
    return stringsOf(dims, std::move(all));
}

Value largeValue(DType type, Dims dims, Dice& dice)
{
    constexpr std::size_t patternSize = 4096;
    constexpr std::int64_t fewer = 8; // strings take this much more memory than numbers
    if (type == DType::String && !dims.empty())
        dims.front() = std::max<std::int64_t>(dims.front() / fewer, 1);
    std::size_t count = 1;
    for (const std::int64_t dim : dims)
        count *= std::size_t(dim);
    if (count <= patternSize || dtypeSize(type) == 0)
        return type == DType::String && count > patternSize ? largeStrings(dims, count, dice)
                                                            : anyValue(type, dims, dice);
    const Value pattern = anyValue(type, {std::int64_t(patternSize)}, dice);
    Value value = emptyValue(type, dims);
    const std::span bytes(value.mutableAs<char>().data(), value.byteCount());
    std::memcpy(bytes.data(), pattern.as<char>().data(), pattern.byteCount());
    fillLarge(bytes, dtypeSize(type), dice);
    return value;
}

// Millions of elements, or a few if the rank is the usual one.
std::vector<Value> largeInputs(const NodeDraft& draft, const OpSpec& spec, Dice& dice)
{
    constexpr std::int64_t sides[] = {1 << 21, 1500, 128, 40};
    constexpr std::int64_t most[] = {1 << 22, 2048, 160, 64, 20}; // length of a side for each rank
    const std::size_t usual = 1 + dice.below(std::size(sides));
    std::vector<Value> inputs;
    for (const DType type : wantedTypes(draft, spec)) {
        Dims dims = squareDims(rankOf(spec, inputs.size()), usual, sides[usual - 1]);
        if (!inputs.empty() && dice.below(3) == 0)
            dims = dice.of<Dims>({{}, {std::int64_t(usual)}, {sides[usual - 1]}});
        if (!dims.empty())
            for (std::int64_t& side : dims)
                side = std::min(side, most[std::min(dims.size(), std::size(most)) - 1]);
        inputs.push_back(largeValue(type == DType::Invalid ? DType::Float : type, dims, dice));
    }
    return inputs;
}

// Returns nothing if the run ended before it was canceled.
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

// An op with the random numbers for which its node takes long. The inputs themselves would fill the
// memory.
struct LongRun {
    const OpSpec* spec = nullptr;
    Dice dice;
};

// Cancels the same run `times` times and returns the samples; fewer if it ended by itself.
std::vector<Sample> cancelAgain(const LongRun& run, std::size_t times, Dice& moments)
{
    constexpr std::size_t latest = 250; // milliseconds
    Dice dice = run.dice;
    const NodeDraft node = anyNode(*run.spec, dice);
    const std::vector<Value> inputs = largeInputs(node, *run.spec, dice);
    std::vector<Sample> samples;
    std::size_t bound = latest;
    for (std::size_t i = 0; i < times; ++i) {
        const std::size_t moment = 1 + moments.below(bound);
        if (auto sample = runCancelled(node, inputs, std::chrono::milliseconds(moment)))
            samples.push_back(std::move(*sample));
        else
            bound = std::max<std::size_t>(moment / 2, 1);
    }
    return samples;
}

// Finds nodes that were still running when they were canceled: the first `most` ones, or those
// found by rounds over all ops until `end`.
std::vector<LongRun> findLongRuns(std::size_t most, Clock::time_point end)
{
    constexpr std::chrono::milliseconds moment{30};
    constexpr int rounds = 8;
    std::vector<LongRun> all;
    Dice dice;
    int round = 0;
    for (; round < rounds && all.size() < most && Clock::now() < end; ++round)
        forEachOp([&](const OpSpec& spec, Dice&) {
            if (all.size() >= most || spec.inputs.empty() || Clock::now() >= end)
                return;
            dice.below(2);
            const LongRun run{&spec, dice};
            const NodeDraft node = anyNode(spec, dice);
            if (runCancelled(node, largeInputs(node, spec, dice), moment))
                all.push_back(run);
        });
    std::cout << all.size() << " long runs found in " << round << " rounds over the ops\n";
    return all;
}

std::size_t numberFrom(const char* variable, std::size_t fallback)
{
    const char* const text = std::getenv(variable); // NOLINT(concurrency-mt-unsafe)
    return text != nullptr ? std::size_t(std::atoi(text)) : fallback;
}

std::vector<Sample> collect(std::size_t wanted)
{
    const bool isThorough = wanted >= 100;
    const auto searchEnd =
        Clock::now() + std::chrono::seconds(numberFrom("LAPIDARY_CANCEL_SEARCH", 150));
    const auto all = findLongRuns(isThorough ? SIZE_MAX : 5, searchEnd);
    std::vector<Sample> samples;
    Dice moments;
    const std::size_t times = (wanted + all.size() - 1) / std::max<std::size_t>(all.size(), 1) + 1;
    for (std::size_t i = 0; !all.empty() && samples.size() < wanted && i < 3 * all.size(); ++i)
        std::ranges::move(cancelAgain(all[i % all.size()], times, moments),
                          std::back_inserter(samples));
    return samples;
}

void print(std::vector<Sample>& samples)
{
    std::map<std::string, double> worst;
    for (const Sample& sample : samples)
        worst[sample.op] = std::max(worst[sample.op], sample.worked);
    for (const auto& [op, worked] : worst)
        if (worked > 20)
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
    const std::size_t asked = numberFrom("LAPIDARY_CANCEL_RUNS", 0);
    auto samples = collect(asked > 0 ? asked : 10);
    REQUIRE(!samples.empty());
    print(samples);
    if (asked == 0)
        return; // on a busy machine, ten runs show that runs end, but not how soon
    std::ranges::sort(samples, {}, &Sample::worked);
    CHECK(samples[samples.size() * 95 / 100].worked < 100);
    CHECK(samples.back().worked < 500);
}

// They stand for what an ONNX file holds, and are no ops of TensorFlow that would be drawn above.
TEST_CASE("runs over n-grams and trees end soon after they were cancelled", "[kernels][cancel]")
{
    using Ints = std::vector<std::int64_t>;
    constexpr std::int64_t words = 40'000;
    NodeDraft grams{.name = "culprit", .op = "_Onnx_TfIdfVectorizer"};
    grams.setAttr("mode", attr::fromString("TF"));
    grams.setAttr("min_gram_length", attr::fromInt(1));
    grams.setAttr("max_gram_length", attr::fromInt(2));
    grams.setAttr("max_skip_count", attr::fromInt(words));
    grams.setAttr("ngram_counts", attr::fromInts(Ints{0, 1}));
    grams.setAttr("ngram_indexes", attr::fromInts(Ints{0, 1}));
    grams.setAttr("pool_int64s", attr::fromInts(Ints{5, 5, 6}));
    // A tree without branches, and a forest that has it many times.
    constexpr std::int64_t depth = 200'000;
    constexpr std::int64_t leaf = 6;
    Ints next(depth);
    std::iota(next.begin(), next.end(), 1);
    Ints modes(depth, 0);
    modes.back() = leaf;
    next.back() = 1;
    NodeDraft trees{.name = "culprit", .op = "_Onnx_TreeEnsemble"};
    trees.setAttr("features", attr::fromInts(Ints(depth, 0)));
    trees.setAttr("values", attr::fromFloats(std::vector<float>(depth, 0)));
    trees.setAttr("modes", attr::fromInts(modes));
    trees.setAttr("yes", attr::fromInts(Ints(depth, 0)));
    trees.setAttr("no", attr::fromInts(next));
    trees.setAttr("takes_nan", attr::fromInts(Ints(depth, 0)));
    trees.setAttr("roots", attr::fromInts(Ints(depth, 0)));
    trees.setAttr("targets", attr::fromInts(Ints{0}));
    trees.setAttr("weights", attr::fromFloats(std::vector<float>{1}));
    trees.setAttr("target_count", attr::fromInt(1));
    Dice dice;
    const std::chrono::milliseconds moment{30};
    Value feature = emptyValue(DType::Float, {1, 1});
    feature.mutableAs<float>()[0] = 1;
    const auto stopped = {
        runCancelled(grams, {anyValue(DType::Int64, {words}, dice)}, moment),
        runCancelled(trees, {feature}, moment),
    };
    for (const std::optional<Sample>& sample : stopped) {
        REQUIRE(sample);
        INFO(sample->op);
        CHECK(sample->worked < 5000); // running to its end takes more than a minute
    }
}

} // namespace lapidary
