// SPDX-License-Identifier: Apache-2.0
// device: measures a graph on a phone or board, or shows a measurement from there.
#include "app/base/exit_codes.h"
#include "app/cli/device/device_log.h"
#include "app/cli/size_flags.h"
#include "app/cli/verb_call.h"
#include "app/device/adb_run.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/interface/no_outputs.h"
#include "runner/profile/read_node_profile.h"
#include "runner/setup/model_interface.h"
#include "transforms/support/support_check.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>

namespace lapidary {
namespace {

struct Wanted {
    DeviceRequest request;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<std::string> shapes; // NAME=1,224,224,3
    std::string script;
    std::string log;    // log to read
    std::string beside; // a profile of this machine
    bool runs = false;
};

void declare(VerbCall& call, Wanted& wanted)
{
    call.addFile();
    call.addJson();
    DeviceRequest& request = wanted.request;
    request.folder = "/data/local/tmp";
    CLI::App& options = call.options();
    options.add_option("--abi", request.abi, "arm64-v8a, armeabi-v7a, x86 or x86_64")
        ->check(CLI::IsMember({"arm64-v8a", "armeabi-v7a", "x86", "x86_64"}));
    options.add_option(
        "--tool", request.tool,
        "path of benchmark_model, built for the device; default: bazel's output path");
    options.add_option("--target-dir,--target_dir", request.folder,
                       "a folder on the device; default: /data/local/tmp");
    options.add_option("--serial", request.serial,
                       "serial number of the device, if several are connected");
    options.add_option("--threads", request.threads, "how many threads to use on the device");
    options.add_option("--cores", request.cores, "a mask of cores for taskset, such as f0");
    options.add_option("--runs", request.runs, "the most runs to measure");
    options.add_option("--inputs", wanted.inputs, "names of the inputs; default: the likely ones")
        ->delimiter(',');
    options
        .add_option("--outputs", wanted.outputs, "names of the outputs; default: the likely ones")
        ->delimiter(',');
    options.add_option("--shape", wanted.shapes, "sizes of an input, as NAME=1,224,224,3");
    call.addOutput("-o,--output", wanted.script,
                   "the file to write the script to; default: standard output");
    options.add_flag("--run", wanted.runs, "run it now, with the adb on PATH");
    options.add_option("--log", wanted.log,
                       "show this log from a device instead; - reads it from standard input");
    options.add_option("--beside", wanted.beside,
                       "a profile of this machine to compare the log with, such as from 'lapidary "
                       "benchmark --json'");
}

int showLog(const Graph& graph, const Wanted& wanted, const std::string& path, const VerbCall& call,
            Console& console)
{
    const auto there =
        path == "-" ? decodeNodeProfile(std::string(std::istreambuf_iterator<char>(console.in), {}),
                                        console.job)
                    : readNodeProfile(path, console.job);
    if (!there)
        return failWith(there.error(), console);
    NodeProfilePtr here;
    if (!wanted.beside.empty()) {
        auto read = readNodeProfile(wanted.beside, console.job);
        if (!read)
            return failWith(read.error(), console);
        here = *std::move(read);
    }
    const DeviceOverlay overlay = overlayOf(graph, **there, here.get());
    if (call.wantsJson())
        printJson(overlayJson(overlay), console);
    else
        printOverlay(overlay, console);
    return exit_code::done;
}

Status setShapes(const std::vector<std::string>& texts, std::vector<FeedTarget>& inputs)
{
    for (const std::string& text : texts) {
        const std::size_t equals = text.rfind('=');
        if (equals == std::string::npos)
            return Error{ErrorCode::InvalidArgument,
                         "--shape " + text + ": write NAME=1,224,224,3"};
        const auto shape = parseShape(std::string_view(text).substr(equals + 1));
        if (!shape)
            return Error{ErrorCode::InvalidArgument,
                         "--shape " + text + ": " + shape.error().message};
        const std::string tensor = withPort(text.substr(0, equals));
        const auto input = std::ranges::find(inputs, tensor, &FeedTarget::tensor);
        if (input == inputs.end())
            return Error{ErrorCode::InvalidArgument,
                         "--shape " + text + ": the graph has no input of that name"};
        input->shape = *shape;
    }
    return Done{};
}

Status fillInterface(const GraphEntry& entry, Wanted& wanted)
{
    ASSIGN_OR_RETURN(const auto likely, modelInterface(entry, ""));
    DeviceRequest& request = wanted.request;
    for (const std::string& name : wanted.inputs) {
        const std::string tensor = withPort(name);
        const auto known = std::ranges::find(likely.inputs, tensor, &FeedTarget::tensor);
        const NodeId id = entry.graph->find(parseInput(tensor).node);
        if (!id.isValid())
            return Error{ErrorCode::NotFound, "the graph has no node '" + name + "'"};
        const Node& node = entry.graph->node(id);
        if (known != likely.inputs.end())
            request.inputs.push_back(*known);
        else
            request.inputs.push_back(
                {.tensor = tensor,
                 .dtype = node.attr("dtype").asType().value_or(DType::Float),
                 .shape = node.attr("shape").asShape().value_or(Shape{{}, true})});
    }
    if (wanted.inputs.empty())
        request.inputs = likely.inputs;
    const std::vector<std::string>& outputs =
        wanted.outputs.empty() ? likely.outputs : wanted.outputs;
    for (const std::string& name : outputs)
        if (!entry.graph->find(parseInput(name).node).isValid())
            return Error{ErrorCode::NotFound, "the graph has no node '" + name + "'"};
    addOutputs(*entry.graph, outputs, request);
    return setShapes(wanted.shapes, request.inputs);
}

// Returns one line that tells whether a build by bazel for Android can run the graph.
std::string supportLine(const Graph& graph, const Wanted& wanted, const Job& job)
{
    std::vector<std::string> inputs;
    for (const FeedTarget& input : wanted.request.inputs)
        inputs.push_back(input.tensor);
    const OpSupport table;
    const Target* target = findTarget("android_full");
    const auto report = checkSupport(graph, inputs, wanted.request.outputs, table, *target, job);
    if (!report)
        return report.error().message;
    return report->whole.missing == 0
               ? "android_full has kernels for all of its nodes"
               : "android_full has no kernel for " + std::to_string(report->whole.missing) +
                     " of its nodes; 'lapidary support' says which";
}

int runNow(const DevicePlan& plan, const Graph& graph, const Wanted& wanted, const VerbCall& call,
           Console& console)
{
    const auto tell = [&](const std::string& title) { console.err << title << "...\n"; };
    if (const Status done = runOnDevice(plan, tell, console.job); !done)
        return failWith(done.error(), console);
    console.err << "The log is in " << plan.log << ", the results are in " << plan.results << '\n';
    return showLog(graph, wanted, plan.log, call, console);
}

int runDevice(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    Wanted wanted;
    declare(call, wanted);
    if (const auto done = call.parse(arguments))
        return *done;
    const bool showsLog = !wanted.log.empty();
    if (!showsLog && wanted.request.abi.empty())
        return call.wrongUse("pass the ABI of the device with --abi, such as arm64-v8a");
    if (call.wantsJson() && !showsLog && !wanted.runs)
        return call.wrongUse("--json shows what was measured; give --log or --run");
    if (call.file() == "-" && wanted.log == "-")
        return call.wrongUse("FILE and --log cannot both be read from standard input");
    if (call.file() == "-" && !showsLog)
        return call.wrongUse("device copies FILE; name a file");
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const Graph& graph = *opened.entry->graph;
    if (showsLog)
        return showLog(graph, wanted, wanted.log, call, console);
    if (opened.file->format != FileFormat::GraphDefBinary &&
        opened.file->format != FileFormat::GraphDefText)
        return call.wrongUse("benchmark_model reads a GraphDef; write one with 'lapidary convert "
                             "--as graphdef' or freeze the model");
    if (graph.size() == 0)
        return failWith(noOutputs(graph, "").within(call.file()), console);
    DeviceRequest& request = wanted.request;
    request.model = call.file();
    if (request.tool.empty())
        request.tool = builtTool;
    const std::string stem = std::filesystem::path(call.file()).stem().string();
    request.log = stem + "." + request.abi + ".log";
    request.results = stem + "." + request.abi + ".results";
    if (const Status filled = fillInterface(*opened.entry, wanted); !filled)
        return failWith(filled.error().within(call.file()), console);
    const auto plan = planDeviceRun(request);
    if (!plan)
        return failWith(
            withProposedSizes(plan.error().within(call.file()), *opened.entry, console.job),
            console);
    if (wanted.runs)
        return runNow(*plan, graph, wanted, call, console);
    const std::string text = deviceScript(*plan, {"Measures " + call.file() + " on a device.",
                                                  supportLine(graph, wanted, console.job)});
    return writeResult(wanted.script.empty() ? "-" : wanted.script, text, console);
}

} // namespace

const Verb verbs::device{
    .name = "device",
    .synopsis = "device FILE --abi ABI",
    .summary = "Benchmarks a graph on a phone or board and shows the result.",
    .example = "lapidary device model.pb --abi arm64-v8a -o measure.sh",
    .run = runDevice,
    .chapter = "device",
};

} // namespace lapidary
