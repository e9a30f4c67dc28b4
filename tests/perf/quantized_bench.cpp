// SPDX-License-Identifier: Apache-2.0
// How fast 8 bits are beside our own float, with each back end, and beside TensorFlow's 8 bits: in
// turns, with 1 and 2 threads.
//
//   quantized_bench --float FILE --codes FILE [--accurate FILE] [--model NAME] [--threads 1,2]
//                   [--rounds N] [--backends own,gemmlowp] [--reference SCRIPT]
//                   [--input NAME] [--output NAME]
//
// The second file is what the preset arm-8bit (`lapidary transform`) makes of the first one, the
// third what arm-8bit-accurate does: it shall be no slower. NAME: the model of bench_models.cpp
// that says what is fed and fetched; resnet_v1_50. --input and --output: where the files have other
// names for its first feed and fetch.
#include "runner/int8/back_end.h"
#include "tests/perf/bench_models.h"
#include "tests/perf/reference_times.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace lapidary {
namespace {

using perf::BenchModel;
using perf::Runnable;

struct Options {
    std::string floatFile;
    std::string codesFile;
    std::string accurateFile;
    std::string model = "resnet_v1_50";
    std::string reference;
    std::string input;
    std::string output;
    std::vector<std::string> threads{"1", "2"};
    std::vector<std::string> backEnds;
    int rounds = 5;
};

struct Contestant {
    std::string name;
    Runnable runnable;
    std::vector<double> ms;
};

std::vector<std::string> itemsOf(const std::string& list)
{
    std::vector<std::string> items;
    std::istringstream text(list);
    for (std::string item; std::getline(text, item, ',');)
        items.push_back(item);
    return items;
}

double least(const std::vector<double>& ms)
{
    return ms.empty() ? 0 : *std::ranges::min_element(ms);
}

double median(std::vector<double> ms)
{
    std::ranges::sort(ms);
    return ms.empty() ? 0 : ms[ms.size() / 2];
}

// Returns false if the graph cannot run.
bool runOnce(Contestant& contestant, bool counts)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto answer = contestant.runnable.session.run(contestant.runnable.request, Job());
    if (!answer) {
        std::printf("%s: %s\n", contestant.name.c_str(), answer.error().message.c_str());
        return false;
    }
    if (counts)
        contestant.ms.push_back(
            std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    return true;
}

void print(const std::string& name, int threads, const std::vector<double>& ms,
           const std::vector<double>& ours)
{
    std::printf("%-18s %7d %9.3f %9.3f %8.2f %8.2f\n", name.c_str(), threads, least(ms), median(ms),
                least(ours) / least(ms), median(ours) / median(ms));
    std::fflush(stdout);
}

void bench(const Options& options, const BenchModel& model, int threads)
{
    std::vector<Contestant> contestants;
    const auto add = [&](const std::string& name, const std::string& file,
                         const std::string& backEnd) {
        auto runnable = perf::openModel(file, model, threads, backEnd);
        if (!runnable)
            return;
        contestants.push_back({name, std::move(*runnable), {}});
        if (!runOnce(contestants.back(), false))
            contestants.pop_back();
    };
    add("float", options.floatFile, "");
    for (const std::string& backEnd : options.backEnds)
        add("8 bits, " + backEnd, options.codesFile, backEnd);
    if (!options.accurateFile.empty())
        for (const std::string& backEnd : options.backEnds)
            add("accurate, " + backEnd, options.accurateFile, backEnd);
    std::vector<double> tensorflow;
    for (int round = 0; round < options.rounds; ++round) {
        for (Contestant& contestant : contestants)
            for (int turn = 0; turn < 3; ++turn)
                runOnce(contestant, true);
        if (options.reference.empty())
            continue;
        const auto theirs =
            perf::referenceTimes(options.reference, options.codesFile, {model.feeds.front().text()},
                                 {model.fetches.begin(), model.fetches.end()}, threads, 2);
        tensorflow.insert(tensorflow.end(), theirs.ms.begin(), theirs.ms.end());
    }
    if (contestants.empty())
        return;
    for (const Contestant& contestant : contestants)
        print(contestant.name, threads, contestant.ms, contestants.front().ms);
    if (!tensorflow.empty())
        print("8 bits, TensorFlow", threads, tensorflow, contestants.front().ms);
}

Options optionsOf(int count, char** words)
{
    Options options;
    for (const int8::BackEnd* backEnd : int8::backEnds())
        if (backEnd->isAvailable() && backEnd != &int8::plainBackEnd())
            options.backEnds.emplace_back(backEnd->name);
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = words[i];
        const std::string value = words[i + 1];
        if (name == "--float")
            options.floatFile = value;
        if (name == "--codes")
            options.codesFile = value;
        if (name == "--accurate")
            options.accurateFile = value;
        if (name == "--model")
            options.model = value;
        if (name == "--reference")
            options.reference = value;
        if (name == "--input")
            options.input = value;
        if (name == "--output")
            options.output = value;
        if (name == "--rounds")
            options.rounds = std::max(1, std::atoi(value.c_str()));
        if (name == "--threads")
            options.threads = itemsOf(value);
        if (name == "--backends")
            options.backEnds = itemsOf(value);
    }
    return options;
}

} // namespace
} // namespace lapidary

int main(int count, char** words)
{
    using namespace lapidary;
    const Options options = optionsOf(count, words);
    const auto& models = perf::benchModels();
    const auto model = std::ranges::find_if(
        models, [&](const perf::BenchModel& m) { return options.model == m.name; });
    if (options.floatFile.empty() || options.codesFile.empty() || model == models.end()) {
        std::printf("nothing to compare: give --float FILE --codes FILE\n");
        return 0;
    }
    perf::BenchModel named = *model;
    if (!options.input.empty())
        named.feeds.front().name = options.input.c_str();
    if (!options.output.empty())
        named.fetches.front() = options.output.c_str();
    std::printf("%-18s %7s %9s %9s %8s %8s\n", "(ms)", "threads", "min", "median", "x float",
                "median");
    for (const std::string& threads : options.threads)
        bench(options, named, std::max(1, std::atoi(threads.c_str())));
    return 0;
}
