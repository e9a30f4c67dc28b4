// SPDX-License-Identifier: Apache-2.0
// benchmark: measures the time that a graph takes, node by node, with benchmark_model's flags and
// phases.
#include "app/base/exit_codes.h"
#include "app/cli/benchmark/benchmark_report.h"
#include "app/cli/run_flags.h"
#include "app/cli/size_flags.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/summary/number_text.h"
#include "runner/profile/benchmark_json.h"
#include "runner/profile/chrome_trace.h"
#include "runner/profile/profile_file.h"
#include "runner/profile/run_metadata.h"
#include "runner/setup/fed_shapes.h"
#include "runner/setup/prepare_run.h"

#include <ostream>

namespace lapidary {
namespace {

struct Outputs {
    std::string csv;
    std::string trace;
    std::string runMetadata;
    std::string from;
};

void addBenchmarkOptions(VerbCall& call, BenchmarkFlags& flags, Outputs& outputs)
{
    CLI::App& options = call.options();
    const auto both = [](const std::string& name) {
        std::string dashed = name;
        std::replace(dashed.begin(), dashed.end(), '_', '-');
        return dashed == name ? "--" + name : "--" + dashed + ",--" + name;
    };
    const auto text = [&](const char* name, std::string& value, const char* help) {
        options.add_option(both(name), value, help);
    };
    const auto truth = [&](const char* name, bool& value, const char* help) {
        options.add_flag(both(name), value, help);
    };
    text("graph", flags.graph, "the same as FILE");
    text("init_ops", flags.initOps, "nodes to run once before, separated by ','");
    text("input_layer", flags.inputLayer, "inputs, separated by ','; default: the likely ones");
    text("input_layer_shape", flags.inputShape, "their shapes, separated by ':'");
    text("input_layer_type", flags.inputType, "their types, separated by ','");
    text("input_layer_values", flags.inputValues, "first values, ':' between inputs");
    text("output_layer", flags.outputLayer, "tensors to fetch, separated by ','");
    text("target_layer", flags.targetLayer, "nodes to run without fetching their values");
    options.add_option("--max-num-runs,--max_num_runs", flags.maxRuns, "the most runs per phase");
    text("max_time", flags.maxTime, "the most seconds per phase");
    text("inference_delay", flags.inferenceDelay, "seconds to sleep between runs");
    text("inter_benchmark_delay", flags.benchmarkDelay, "seconds to sleep between phases");
    options.add_option("--num-threads,--num_threads", flags.threads, "the same as --threads");
    text("benchmark_name", flags.name, "with --output-prefix: write result files");
    text("output_prefix", flags.outputPrefix, "prefix of the result files");
    truth("show_sizes", flags.showSizes, "list the sizes of all outputs");
    flags.tables.runOrder = false; // it has a row for each node, before all other tables
    truth("show_run_order", flags.tables.runOrder, "print a table of all nodes in execution order");
    options.add_option(both("run_order_limit"), flags.tables.runOrderLimit,
                       "rows of that table; 0: all");
    truth("show_time", flags.tables.time, "print the table by time");
    options.add_option("--time_limit,--time-rows", flags.tables.timeLimit,
                       "rows of that table; 0: all");
    truth("show_memory", flags.tables.memory, "print the table by memory");
    options.add_option("--memory_limit,--memory-rows", flags.tables.memoryLimit,
                       "rows of that table; 0: all");
    truth("show_type", flags.tables.type, "print the table by op");
    truth("show_summary", flags.tables.summary, "print the summary lines");
    truth("show_flops", flags.showFlops, "floating-point operations");
    options.add_option(both("warmup_runs"), flags.warmupRuns, "warm-up runs");
    call.addOutput("--csv", outputs.csv, "write the times of all nodes to this file");
    call.addOutput("--trace", outputs.trace, "write a Chrome trace of the last run");
    call.addOutput(both("run_metadata"), outputs.runMetadata, "write the last run as RunMetadata");
    options.add_option("--from", outputs.from,
                       "show this profile instead of running: output of --json, RunMetadata, a "
                       "Chrome trace or a log of benchmark_model");
}

int showProfile(const std::string& path, const BenchmarkFlags& flags, const VerbCall& call,
                Console& console)
{
    const auto buffer = openFile(path);
    if (!buffer)
        return failWith(buffer.error(), console);
    if (const auto own = readBenchmarkJson((*buffer)->bytes())) {
        if (call.wantsJson())
            printJson(*own, console);
        else
            console.out << savedReportText(*own);
        return exit_code::done;
    }
    const auto profile = readProfile((*buffer)->bytes(), console.job);
    if (!profile)
        return failWith({profile.error().code, path + ": " + profile.error().message}, console);
    if (profile->log) {
        if (call.wantsJson())
            printJson(logJson(*profile->log), console);
        else
            for (const LoggedNode& node : profile->log->nodes)
                console.out << node.name << '\t' << node.type << '\t' << node.averageMs << " ms\n";
        return exit_code::done;
    }
    ProfileStatistics statistics;
    statistics.add(*profile->step);
    if (call.wantsJson())
        printJson(profileJson(statistics), console);
    else
        console.out << statistics.tables(flags.tables)
                    << (flags.showSizes ? statistics.outputSizes() : "");
    return exit_code::done;
}

// Feeds the inputs of --input_layer, with their types and values.
Status takeInputs(const BenchmarkFlags& flags, PreparedRun& prepared)
{
    ASSIGN_OR_RETURN(const auto inputs, benchmarkInputs(flags));
    prepared.request.feeds.clear();
    for (const BenchmarkInput& input : inputs) {
        ASSIGN_OR_RETURN(auto value, makeBenchmarkInput(input, prepared.session.pool()));
        prepared.request.feeds.emplace_back(input.name, std::move(value));
    }
    return Done{};
}

Status runInitOps(const BenchmarkFlags& flags, Session& session, const Job& job)
{
    for (const std::string& op : splitFlag(flags.initOps, ',')) {
        const auto done = session.run(RunRequest{{}, {}, {op}}, job);
        if (!done)
            return done.error().within("init op " + op);
    }
    return Done{};
}

int writeOutputs(const RunProfile& profile, const Outputs& outputs, Console& console)
{
    int code = exit_code::done;
    if (!outputs.csv.empty())
        code = writeResult(outputs.csv, benchmarkCsv(profile), console);
    if (code == exit_code::done && !outputs.trace.empty())
        code = writeResult(outputs.trace, encodeChromeTrace(profile.lastStep()), console);
    if (code == exit_code::done && !outputs.runMetadata.empty())
        code = writeResult(outputs.runMetadata, encodeRunMetadata(profile.lastStep()), console);
    return code;
}

void printReport(const BenchmarkFlags& flags, const BenchmarkTimes& times,
                 const RunProfile& profile, std::uint64_t peakBytes, Console& console)
{
    console.out << averagesText(times, flags.warmupRuns) << '\n'
                << profile.statistics().tables(flags.tables)
                << (flags.showSizes ? profile.statistics().outputSizes() : "");
    console.out << shareText(profile);
    console.out << "Peak memory of tensors: " << peakBytes << " bytes\n";
    if (!flags.showFlops)
        return;
    const std::int64_t flops = profile.totalFlops();
    const double seconds = times.plain.mean() / 1e6;
    console.out << "FLOPs estimate: " << humanReadableNumber(flops) << '\n';
    if (seconds > 0)
        console.out << "FLOPs/second: "
                    << humanReadableNumber(std::int64_t(double(flops) / seconds)) << '\n';
}

int measure(const GraphEntry& entry, const BenchmarkFlags& flags, const RunPlan& plan,
            const Outputs& outputs, const VerbCall& call, Console& console)
{
    const auto inFile = [&](const Error& error) {
        return failWith(error.within(shownPath(call.file())), console);
    };
    auto prepared = prepareRun(entry, call.file(), plan, console.job);
    if (!prepared)
        return inFile(withProposedSizes(prepared.error(), entry, console.job));
    if (!prepared->vainInputs.empty())
        console.err << prepared->vainInputs << '\n';
    Session& session = prepared->session;
    if (!plan.otherInputs)
        if (const Status taken = takeInputs(flags, *prepared); !taken)
            return inFile(taken.error());
    if (const Status done = runInitOps(flags, session, console.job); !done)
        return inFile(done.error());
    RunProfile profile(prepared->graph);
    const SayLine say = [&](const std::string& line) {
        if (!call.wantsJson() && !line.empty())
            console.out << line << '\n' << std::flush;
    };
    const auto times = runPhases(session, prepared->request, flags, profile, say, console.job);
    if (!times)
        return inFile(times.error());
    if (auto shapes = fedShapes(*prepared->graph, prepared->request, console.job))
        profile.setShapes(*std::move(shapes));
    const auto& feeds = prepared->request.feeds;
    if (const Status written =
            writeResultFiles(flags, *times, 0, feeds.empty() ? nullptr : &feeds[0].second, profile);
        !written)
        return inFile(written.error());
    const std::uint64_t peak = session.pool().peakBytes();
    const std::string& backEnd = prepared->backEnd;
    if (call.wantsJson()) {
        Json json = benchmarkJson(profile, *times, peak);
        if (!backEnd.empty())
            json["backend"] = backEnd;
        printJson(json, console);
        return writeOutputs(profile, outputs, console);
    }
    if (!backEnd.empty())
        say("8-bit back end: " + backEnd);
    printReport(flags, *times, profile, peak, console);
    return writeOutputs(profile, outputs, console);
}

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    BenchmarkFlags flags;
    RunFlags settings;
    Outputs outputs;
    call.addFile();
    call.options().get_option("FILE")->required(false);
    addRunOptions(call, settings, false);
    addBenchmarkOptions(call, flags, outputs);
    call.addJson();
    if (const auto done = call.parse(arguments))
        return *done;
    const auto given = [&](const char* option) { return call.options().count(option) > 0; };
    if (call.file().empty() && given("--graph"))
        call.file() = flags.graph;
    BoxGrants grants = grantsOf(settings, call.file());
    grants.readable.emplace_back(outputs.from);
    for (const std::string& path : {outputs.csv, outputs.trace, outputs.runMetadata})
        grants.writable.emplace_back(path);
    grants.writablePrefix = flags.name.empty() ? "" : flags.outputPrefix;
    if (const auto outside = startGuarded(settings.guard, grants, console))
        return *outside;
    if (!outputs.from.empty())
        return showProfile(outputs.from, flags, call, console);
    if (call.file().empty())
        return call.wrongUse("FILE is missing");
    if (given("--output-layer"))
        settings.fetches = splitFlag(flags.outputLayer, ',');
    for (const std::string& target : splitFlag(flags.targetLayer, ','))
        settings.targets.push_back(target);
    if (flags.threads > 0)
        settings.threads = flags.threads;
    auto plan = planOf(settings);
    if (!plan)
        return failWith(plan.error(), console);
    if (given("--input-layer")) {
        plan->otherInputs.reset();
        for (const std::string& input : splitFlag(flags.inputLayer, ','))
            plan->feeds.push_back({input, FedLater{}});
    }
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    return measure(*opened.entry, flags, *plan, outputs, call, console);
}

} // namespace

const Verb verbs::benchmark{
    .name = "benchmark",
    .synopsis = "benchmark FILE",
    .summary = "Measures how long a graph takes to run, node by node.",
    .example = "lapidary benchmark model.pb --max-num-runs 50 --json",
    .run = run,
    .chapter = "profiling",
    .runsGraphs = true,
};

} // namespace lapidary
