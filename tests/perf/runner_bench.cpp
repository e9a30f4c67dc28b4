// How fast whole models run, beside chained oneDNN primitives of the same shapes, Eigen's im2col
// and the real TensorFlow, in one process and in turns.
//
//   runner_bench [--models DIR] [--threads 1,2] [--rounds N] [--reference reference.sh]
//
// DIR holds full-size models (tools/make_models.py --full); LAPIDARY_FULL_MODELS names it too.
#include "graph_model/read/model_file.h"
#include "runner/execute/session.h"
#include "tests/perf/convolution_chain.h"
#include "tests/perf/eigen_products.h"
#include "tests/perf/reference_times.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

struct Model {
    const char* name;
    const char* feed;
    Dims dims;
    const char* fetch;
    bool isResNet = false;
};

const std::vector<Model> models{
    {"resnet_v1_50", "Placeholder", {1, 224, 224, 3}, "resnet_v1_50/predictions/Reshape_1", true},
    {"mobilenet_v1", "input", {1, 224, 224, 3}, "MobilenetV1/Predictions/Reshape_1", false},
};

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

// A figure of /proc/self/smaps_rollup in megabytes.
double residentMegabytes(const std::string& what)
{
    std::ifstream file("/proc/self/smaps_rollup");
    std::string line;
    while (std::getline(file, line))
        if (line.starts_with(what))
            return std::atof(line.c_str() + what.size()) / 1024;
    return 0;
}

struct Runnable {
    Session session;
    RunRequest request;
};

std::optional<Runnable> open(const std::filesystem::path& file, const Model& model, int threads)
{
    auto read = readModel(file, Job());
    if (!read || read.value().graphs.empty()) {
        std::printf("%s: not there or not readable\n", file.c_str());
        return std::nullopt;
    }
    Session session(read.value().graphs.front().graph, {.threads = threads, .fuse = true});
    Value image = Value::make(DType::Float, model.dims, session.pool()).value();
    std::uint32_t seed = 1;
    for (float& pixel : image.mutableAs<float>()) {
        seed = seed * 1664525U + 1013904223U;
        pixel = float(seed >> 8) / float(1U << 23) - 1;
    }
    return Runnable{std::move(session), {.feeds = {{model.feed, image}}, .fetches = {model.fetch}}};
}

void print(const char* what, const Times& times)
{
    if (!times.ms.empty())
        std::printf("  %-34s min %8.2f  median %8.2f ms  (%zu)\n", what, times.least(),
                    times.median(), times.ms.size());
}

void printRatio(const char* what, const Times& ours, const Times& other, double bar)
{
    if (!other.ms.empty())
        std::printf("  ratio to %-25s min %8.2f  median %8.2f     (bar %.2f)\n", what,
                    ours.least() / other.least(), ours.median() / other.median(), bar);
}

// Sums of the nodes' own times against the whole run.
void printShares(Runnable& runnable)
{
    std::int64_t nodes = 0;
    std::map<std::string, std::int64_t> byNode;
    const ObserveNode observe = [&](const NodeRun& run, std::span<const Value>) {
        nodes += run.nanoseconds;
    };
    const double all = millisecondsOf(
        [&] { static_cast<void>(runnable.session.run(runnable.request, Job(), observe)); });
    std::printf("  self times of nodes                %6.2f %% of %.2f ms\n",
                double(nodes) / 1e4 / all, all);
}

struct Options {
    std::filesystem::path models;
    std::vector<int> threads{1, 2};
    int rounds = 3;
    std::string reference;
};

void benchModel(const Options& options, const Model& model, int threads)
{
    const auto file = options.models / (std::string(model.name) + ".pb");
    const double before = residentMegabytes("Anonymous:");
    auto runnable = open(file, model, threads);
    if (!runnable)
        return;
    std::printf("%s, %d thread%s\n", model.name, threads, threads == 1 ? "" : "s");
    std::string failure;
    const auto once = [&] {
        const auto answer = runnable->session.run(runnable->request, Job());
        if (!answer)
            failure = answer.error().message;
    };
    const double first = millisecondsOf(once);
    if (!failure.empty()) {
        std::printf("  failed: %s\n", failure.c_str());
        return;
    }
    once();
    std::printf("  first run %.1f ms; anonymous memory %+.1f MB, peak of live tensors %.1f MB\n",
                first, residentMegabytes("Anonymous:") - before,
                double(runnable->session.pool().peakBytes()) / 1e6);
    std::optional<perf::ConvolutionChain> chain;
    if (model.isResNet)
        chain.emplace(threads);
    Times ours;
    Times chained;
    Times eigen;
    Times tensorflow;
    double peak = 0;
    constexpr int turns = 5;
    for (int round = 0; round < options.rounds; ++round) {
        for (int turn = 0; turn < turns; ++turn) {
            ours.ms.push_back(millisecondsOf(once));
            if (chain)
                chained.ms.push_back(millisecondsOf([&] { chain->run(); }));
        }
        if (chain && threads == 1) {
            eigen.ms.push_back(perf::eigenResNetMilliseconds());
            peak = std::max(peak, perf::fmaPeakGflops());
        }
        const auto theirs = perf::referenceMilliseconds(
            options.reference, file.string(), model.feed, model.dims, model.fetch, threads);
        tensorflow.ms.insert(tensorflow.ms.end(), theirs.begin(), theirs.end());
    }
    print("ours", ours);
    print("chained oneDNN primitives", chained);
    print("Eigen im2col", eigen);
    print("TensorFlow 1.15", tensorflow);
    printRatio("chained primitives", ours, chained, 1.05);
    printRatio("Eigen im2col", ours, eigen, 1 / 1.4);
    const double bar = model.isResNet ? (threads == 1 ? 0.95 : 0.5) : (threads == 1 ? 0.6 : 0.35);
    printRatio("TensorFlow 1.15", ours, tensorflow, bar);
    if (peak > 0)
        std::printf("  %.1f GFLOP/s, %.0f %% of the measured peak of %.0f GFLOP/s\n",
                    perf::resNetGflop / ours.least() * 1e3,
                    perf::resNetGflop / ours.least() * 1e5 / peak, peak);
    printShares(*runnable);
}

Options optionsOf(int count, char** words)
{
    Options options;
    if (const char* folder = std::getenv("LAPIDARY_FULL_MODELS"))
        options.models = folder;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = words[i];
        const std::string value = words[i + 1];
        if (name == "--models")
            options.models = value;
        if (name == "--reference")
            options.reference = value;
        if (name == "--rounds")
            options.rounds = std::max(1, std::atoi(value.c_str()));
        if (name == "--threads") {
            options.threads.clear();
            std::istringstream list(value);
            for (std::string item; std::getline(list, item, ',');)
                options.threads.push_back(std::max(1, std::atoi(item.c_str())));
        }
    }
    return options;
}

} // namespace
} // namespace lapidary

int main(int count, char** words)
{
    const lapidary::Options options = lapidary::optionsOf(count, words);
    if (options.models.empty()) {
        std::printf("no models: give --models DIR or set LAPIDARY_FULL_MODELS\n");
        return 0;
    }
    for (const auto& model : lapidary::models)
        for (const int threads : options.threads)
            lapidary::benchModel(options, model, threads);
    return 0;
}
