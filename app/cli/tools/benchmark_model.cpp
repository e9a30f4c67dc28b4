// SPDX-License-Identifier: Apache-2.0
// benchmark_model, as called through a link of that name (spec: tools, sections 1 and 2).
#include "app/cli/benchmark/benchmark_phases.h"
#include "app/cli/guard.h"
#include "app/cli/originals/original_flags.h"
#include "app/cli/originals/original_loading.h"
#include "app/cli/tool_list.h"
#include "graph_model/summary/number_text.h"
#include "runner/guard/machine_memory.h"
#include "runner/setup/fed_shapes.h"
#include "runner/values/memory_pool.h"

#include <chrono>
#include <filesystem>
#include <ostream>

namespace lapidary {
namespace {

void originalInfo(std::ostream& err, const std::string& message)
{
    originalLog(err, message, 'I');
}

void addFlags(OriginalFlags& flags, BenchmarkFlags& values)
{
    flags.addString("graph", values.graph, "graph file name");
    flags.addString("init_ops", values.initOps, "init ops");
    flags.addString("input_layer", values.inputLayer, "input layer names");
    flags.addString("input_layer_shape", values.inputShape, "input layer shape");
    flags.addString("input_layer_type", values.inputType, "input layer type");
    flags.addString("input_layer_values", values.inputValues,
                    "values to initialize the inputs with");
    flags.addString("output_layer", values.outputLayer, "output layer name");
    flags.addString("target_layer", values.targetLayer, "target layer name");
    flags.addInt("max_num_runs", values.maxRuns, "number of runs max");
    flags.addString("max_time", values.maxTime, "length to run max");
    flags.addString("inference_delay", values.inferenceDelay, "delay between runs in seconds");
    flags.addString("inter_benchmark_delay", values.benchmarkDelay,
                    "delay between benchmarks in seconds");
    flags.addInt("num_threads", values.threads, "number of threads");
    flags.addString("benchmark_name", values.name, "benchmark name");
    flags.addString("output_prefix", values.outputPrefix, "benchmark output prefix");
    flags.addBool("show_sizes", values.showSizes, "whether to show sizes");
    flags.addBool("show_run_order", values.tables.runOrder, "whether to list stats by run order");
    flags.addInt("run_order_limit", values.tables.runOrderLimit,
                 "how many items to show by run order");
    flags.addBool("show_time", values.tables.time, "whether to list stats by time taken");
    flags.addInt("time_limit", values.tables.timeLimit, "how many items to show by time taken");
    flags.addBool("show_memory", values.tables.memory, "whether to list stats by memory used");
    flags.addInt("memory_limit", values.tables.memoryLimit,
                 "how many items to show by memory used");
    flags.addBool("show_type", values.tables.type, "whether to list stats by op type");
    flags.addBool("show_summary", values.tables.summary, "whether to show a summary of the stats");
    flags.addBool("show_flops", values.showFlops, "whether to estimate the model's FLOPs");
    flags.addInt("warmup_runs", values.warmupRuns, "how many runs to initialize model");
}

void sayLines(std::ostream& err, const std::string& text)
{
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         end = text.find('\n', begin)) {
        originalInfo(err, text.substr(begin, end - begin));
        begin = end + 1;
    }
}

void saySettings(const BenchmarkFlags& flags, std::ostream& err)
{
    const auto say = [&](const char* name, const std::string& value) {
        originalInfo(err, std::string(name) + ": [" + value + "]");
    };
    say("Graph", flags.graph);
    originalInfo(err, "Init ops:" + flags.initOps);
    say("Input layers", flags.inputLayer);
    say("Input shapes", flags.inputShape);
    say("Input types", flags.inputType);
    say("Output layers", flags.outputLayer);
    say("Target layers", flags.targetLayer);
    say("Num runs", std::to_string(flags.maxRuns));
    say("Inter-inference delay (seconds)", flags.inferenceDelay);
    say("Inter-benchmark delay (seconds)", flags.benchmarkDelay);
    say("Num threads", std::to_string(flags.threads));
    say("Benchmark name", flags.name);
    say("Output prefix", flags.outputPrefix);
    say("Show sizes", flags.showSizes ? "1" : "0");
    say("Warmup runs", std::to_string(flags.warmupRuns));
}

Result<RunRequest> makeRequest(const BenchmarkFlags& flags, Session& session)
{
    ASSIGN_OR_RETURN(const auto inputs, benchmarkInputs(flags));
    RunRequest request;
    for (const BenchmarkInput& input : inputs) {
        ASSIGN_OR_RETURN(auto value, makeBenchmarkInput(input, session.pool()));
        request.feeds.emplace_back(input.name, std::move(value));
    }
    request.fetches = splitFlag(flags.outputLayer, ',');
    request.targets = splitFlag(flags.targetLayer, ',');
    return request;
}

Status measure(const BenchmarkFlags& flags, const GraphPtr& graph, Session& session,
               double sessionSeconds, Console& console)
{
    const SayLine say = [&](const std::string& line) { originalInfo(console.err, line); };
    for (const std::string& op : splitFlag(flags.initOps, ','))
        RETURN_IF_ERROR(session.run(RunRequest{{}, {}, {op}}, console.job));
    ASSIGN_OR_RETURN(const auto request, makeRequest(flags, session));
    RunProfile profile(graph);
    const auto times = runPhases(session, request, flags, profile, say, console.job);
    if (!times)
        return Error{times.error().code, "Timing failed with " + times.error().message};
    say(averagesText(*times, flags.warmupRuns));
    sayLines(console.err, profile.statistics().tables(flags.tables));
    if (flags.showSizes)
        sayLines(console.err, profile.statistics().outputSizes());
    if (flags.showFlops) {
        if (auto shapes = fedShapes(*graph, request, console.job))
            profile.setShapes(*std::move(shapes));
        const std::int64_t flops = profile.totalFlops();
        const double seconds = times->plain.mean() / 1e6;
        say("FLOPs estimate: " + humanReadableNumber(flops));
        if (seconds > 0)
            say("FLOPs/second: " + humanReadableNumber(std::int64_t(double(flops) / seconds)));
    }
    const auto& feeds = request.feeds;
    return writeResultFiles(flags, *times, sessionSeconds,
                            feeds.empty() ? nullptr : &feeds[0].second, profile);
}

int runBenchmarkModel(std::string_view calledAs, std::span<const std::string> arguments,
                      Console& console)
{
    BenchmarkFlags values;
    OriginalFlags flags(calledAs.substr(calledAs.rfind('/') + 1));
    addFlags(flags, values);
    if (!flags.parse(arguments, console.err)) {
        originalLog(console.err, flags.usage());
        return originalFailure;
    }
    if (!flags.leftover().empty()) {
        originalLog(console.err,
                    "Unknown argument " + flags.leftover().front() + "\n" + flags.usage());
        return originalFailure;
    }
    if (const auto inputs = benchmarkInputs(values);
        !inputs && inputs.error().message.starts_with("There must be")) {
        originalLog(console.err, inputs.error().message);
        return originalFailure;
    }
    BoxGrants grants{.memory = usualMemoryLimit()};
    grants.writablePrefix = values.name.empty() ? "" : values.outputPrefix;
    grantModel(values.graph, grants);
    if (const auto outside = startGuarded(GuardFlags(), grants, console))
        return *outside;
    saySettings(values, console.err);
    const auto begin = std::chrono::steady_clock::now();
    const auto graph = loadAsOriginal(values.graph, console.job);
    const std::chrono::duration<double> loading = std::chrono::steady_clock::now() - begin;
    if (!graph)
        originalLog(console.err, "Could not create TensorFlow Graph: " + graph.error().message);
    originalInfo(console.err, "Initialized session in " + std::to_string(loading.count()) + "s");
    if (!graph)
        return originalFailure;
    Session session(*graph, {.threads = std::max(values.threads, 1),
                             .folder = std::filesystem::path(values.graph).parent_path().string()});
    const Status done = measure(values, *graph, session, loading.count(), console);
    if (done)
        return 0;
    originalLog(console.err, done.error().message);
    return originalFailure;
}

} // namespace

const ReplacedTool tools::benchmarkModel{
    .name = "benchmark_model", .run = runBenchmarkModel, .runsGraphs = true};

} // namespace lapidary
