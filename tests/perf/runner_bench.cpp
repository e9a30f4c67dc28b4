// SPDX-License-Identifier: Apache-2.0
// How fast models run, beside the real TensorFlow and, for ResNet-50, chained oneDNN primitives of
// the same shapes and Eigen's im2col: in turns, with 1 and 2 threads. Then how soon a cold process
// has its first result, and what memory it takes.
//
//   runner_bench [--models DIR] [--threads 1,2] [--rounds N] [--only TEXT] [--reference SCRIPT]
//
// DIR holds full-size models (tools/make_models.py --full); LAPIDARY_FULL_MODELS names it too. The
// small ones and the reference are found below LAPIDARY_SHARED.
#include "tests/perf/bench_models.h"
#include "tests/perf/cold_start.h"
#include "tests/perf/convolution_chain.h"
#include "tests/perf/eigen_products.h"
#include "tests/perf/reference_times.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace lapidary {
namespace {

using perf::BenchModel;
using perf::Runnable;
using Clock = std::chrono::steady_clock;

struct Times {
    std::vector<double> ms;

    double least() const { return ms.empty() ? 0 : *std::ranges::min_element(ms); }
    double median() const
    {
        std::vector<double> sorted = ms;
        std::ranges::sort(sorted);
        return sorted.empty() ? 0 : sorted[sorted.size() / 2];
    }
};

template <class Work>
double millisecondsOf(const Work& work)
{
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Compares the sum of the nodes' own times with the whole run.
double shareOfNodes(Runnable& runnable)
{
    std::int64_t nodes = 0;
    const ObserveNode observe = [&](const NodeRun& run, std::span<const Value>) {
        nodes += run.nanoseconds;
    };
    const double all = millisecondsOf(
        [&] { static_cast<void>(runnable.session.run(runnable.request, Job(), observe)); });
    return double(nodes) / 1e4 / all;
}

struct Options {
    std::filesystem::path models;
    std::vector<int> threads{1, 2};
    int rounds = 3;
    std::string reference;
    std::string only;
    std::string program;
};

std::filesystem::path fileOf(const Options& options, const BenchModel& model)
{
    return (model.isFull ? options.models : std::filesystem::path(perf::sharedFolder())) /
           model.file;
}

struct Row {
    Times ours;
    Times tensorflow;
    Times chained;
    Times eigen;
    double peak = 0;
};

void addReference(const Options& options, const BenchModel& model, int threads, Times& times)
{
    std::vector<std::string> feeds;
    for (const perf::BenchFeed& feed : model.feeds)
        feeds.push_back(feed.text());
    const auto theirs = perf::referenceTimes(options.reference, fileOf(options, model).string(),
                                             feeds, {model.fetches.begin(), model.fetches.end()},
                                             threads, model.isFull ? 4 : 1);
    times.ms.insert(times.ms.end(), theirs.ms.begin(), theirs.ms.end());
}

void printRow(const BenchModel& model, int threads, const Row& row, double share)
{
    const double limit = threads == 1 ? model.limitOne : model.limitTwo;
    std::printf("%-22s %7d %9.3f %9.3f", model.name, threads, row.ours.least(), row.ours.median());
    if (row.tensorflow.ms.empty())
        std::printf(" %9s %9s %6s %6s", "-", "-", "-", "-");
    else
        std::printf(" %9.3f %9.3f %6.2f %6.2f", row.tensorflow.least(), row.tensorflow.median(),
                    row.ours.least() / row.tensorflow.least(),
                    row.ours.median() / row.tensorflow.median());
    std::printf(" %6.2f %7.2f\n", limit, share);
    std::fflush(stdout);
}

void printRivals(const Row& row, int threads)
{
    std::printf(
        "  chained oneDNN primitives: min %.2f median %.2f ms; ratio %.3f, %.3f (limit 1.05)\n",
        row.chained.least(), row.chained.median(), row.ours.least() / row.chained.least(),
        row.ours.median() / row.chained.median());
    if (threads != 1)
        return;
    std::printf(
        "  Eigen im2col: min %.2f median %.2f ms; we are %.2f, %.2f times as fast (at least 1.4)\n",
        row.eigen.least(), row.eigen.median(), row.eigen.least() / row.ours.least(),
        row.eigen.median() / row.ours.median());
    std::printf("  %.1f GFLOP/s, %.0f %% of the measured peak of %.0f GFLOP/s\n",
                perf::resNetGflop / row.ours.least() * 1e3,
                perf::resNetGflop / row.ours.least() * 1e5 / row.peak, row.peak);
}

void benchModel(const Options& options, const BenchModel& model, int threads)
{
    auto runnable = perf::openModel(fileOf(options, model), model, threads);
    if (!runnable)
        return;
    std::string failure;
    const auto once = [&] {
        const auto answer = runnable->session.run(runnable->request, Job());
        if (!answer)
            failure = answer.error().message;
    };
    once();
    if (!failure.empty()) {
        std::printf("%-22s failed: %s\n", model.name, failure.c_str());
        return;
    }
    const double second = millisecondsOf(once);
    const bool isResNet = std::string(model.name) == "resnet_v1_50";
    std::optional<perf::ConvolutionChain> chain;
    if (isResNet)
        chain.emplace(threads);
    constexpr double roundMs = 300;
    const int turns = std::clamp(int(roundMs / std::max(second, 0.01)), 5, 500);
    Row row;
    for (int round = 0; round < options.rounds; ++round) {
        for (int turn = 0; turn < turns; ++turn) {
            row.ours.ms.push_back(millisecondsOf(once));
            if (chain)
                row.chained.ms.push_back(millisecondsOf([&] { chain->run(); }));
        }
        if (chain && threads == 1) {
            row.eigen.ms.push_back(perf::eigenResNetMilliseconds());
            row.peak = std::max(row.peak, perf::fmaPeakGflops());
        }
        addReference(options, model, threads, row.tensorflow);
    }
    printRow(model, threads, row, shareOfNodes(*runnable));
    if (chain)
        printRivals(row, threads);
}

void benchColdStart(const Options& options, const BenchModel& model)
{
    const auto file = fileOf(options, model);
    std::optional<perf::ColdStart> best;
    for (int round = 0; round < options.rounds; ++round) {
        const auto one = perf::coldStart(options.program, file.string(), model.name);
        if (one && (!best || one->milliseconds < best->milliseconds))
            best = one;
    }
    if (!best)
        return;
    std::printf("%s from a cold process to the first result: %.1f ms", model.name,
                best->milliseconds);
    std::vector<std::string> feeds;
    for (const perf::BenchFeed& feed : model.feeds)
        feeds.push_back(feed.text());
    const auto theirs = perf::referenceTimes(options.reference, file.string(), feeds,
                                             {model.fetches.begin(), model.fetches.end()}, 1, 0);
    if (theirs.importAndFirst > 0)
        std::printf("; TensorFlow's import_ms + first_ms %.1f: ratio %.2f (limit 0.20)",
                    theirs.importAndFirst, best->milliseconds / theirs.importAndFirst);
    const double bound = best->weightsMb + 1.3 * best->liveMb;
    std::printf(
        "\n  anonymous resident memory: peak %.1f MB, of which without the model %.1f; bound "
        "weights %.1f + 1.3 * live %.1f = %.1f MB: %s\n",
        best->peakMb, best->beforeMb, best->weightsMb, best->liveMb, bound,
        best->peakMb - best->beforeMb <= bound ? "held" : "NOT held");
}

Options optionsOf(int count, char** words)
{
    Options options;
    options.program = words[0];
    if (const char* folder = std::getenv("LAPIDARY_FULL_MODELS"))
        options.models = folder;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = words[i];
        const std::string value = words[i + 1];
        if (name == "--models")
            options.models = value;
        if (name == "--reference")
            options.reference = value;
        if (name == "--only")
            options.only = value;
        if (name == "--rounds")
            options.rounds = std::max(1, std::atoi(value.c_str()));
        if (name == "--threads") {
            options.threads.clear();
            std::istringstream list(value);
            for (std::string item; std::getline(list, item, ',');)
                options.threads.push_back(std::max(1, std::atoi(item.c_str())));
        }
    }
    options.reference = perf::referenceScript(options.reference);
    return options;
}

} // namespace
} // namespace lapidary

int main(int count, char** words)
{
    using namespace lapidary;
    constexpr int coldWords = 4;
    if (count == coldWords && std::string(words[1]) == "--cold")
        return perf::runCold(words[2], words[3]);
    const Options options = optionsOf(count, words);
    if (options.models.empty())
        std::printf("no full-size models: give --models DIR or set LAPIDARY_FULL_MODELS\n");
    if (options.reference.empty())
        std::printf("no TensorFlow to compare with: its script is not below LAPIDARY_SHARED\n");
    std::printf("%-22s %7s %9s %9s %9s %9s %6s %6s %6s %7s\n", "model (ms)", "threads", "min",
                "median", "TF min", "TF med", "ratio", "ratio", "limit", "nodes %");
    const auto isWanted = [&](const perf::BenchModel& model) {
        return (!model.isFull || !options.models.empty()) &&
               std::string(model.name).find(options.only) != std::string::npos;
    };
    for (const auto& model : perf::benchModels())
        for (const int threads : options.threads)
            if (isWanted(model))
                benchModel(options, model, threads);
    if (isWanted(perf::benchModels().front()))
        benchColdStart(options, perf::benchModels().front());
    return 0;
}
