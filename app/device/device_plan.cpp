// SPDX-License-Identifier: Apache-2.0
#include "app/device/device_plan.h"

#include "graph_model/ops/op_registry.h"
#include "runner/setup/model_interface.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace lapidary {
namespace {

constexpr std::array<std::string_view, 4> abis{"arm64-v8a", "armeabi-v7a", "x86", "x86_64"};

bool isPlainLetter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

// Returns the name of a file on the device: without blanks or a leading dash.
std::string remoteName(const std::string& path)
{
    std::string name = std::filesystem::path(path).filename().string();
    for (char& c : name)
        c = isPlainLetter(c) ? c : '_';
    if (name.empty() || name.starts_with('-') || name == "." || name == "..")
        name.insert(0, "_");
    return name;
}

// Returns a path that no program takes for a flag.
std::string localPath(const std::string& path)
{
    return path.starts_with('-') ? "./" + path : path;
}

bool toolMakes(DType dtype)
{
    switch (dtype) {
    case DType::Float:
    case DType::Int32:
    case DType::UInt8:
    case DType::QUInt8:
    case DType::Bool:
    case DType::String: return true;
    default: return false;
    }
}

struct LayerFlags {
    std::string names;
    std::string shapes;
    std::string types;
};

Result<LayerFlags> layerFlags(const std::vector<FeedTarget>& inputs)
{
    LayerFlags flags;
    for (const FeedTarget& input : inputs) {
        if (!toolMakes(input.dtype))
            return Error{ErrorCode::Unsupported,
                         input.tensor + ": benchmark_model makes no inputs of type " +
                             dtypeName(input.dtype) +
                             "; cast it in the graph, or choose another input"};
        if (input.shape.unknownRank)
            return Error{ErrorCode::InvalidArgument,
                         "input " + input.tensor +
                             " may have any shape, and nothing says which "
                             "sizes it has",
                         ErrorReason::MissingSize, input.tensor};
        if (input.shape.dims.empty())
            return Error{ErrorCode::Unsupported,
                         input.tensor + ": benchmark_model cannot make a scalar; fold it into the "
                                        "graph, or choose another input"};
        std::string sizes;
        for (const std::int64_t size : input.shape.dims)
            sizes += (sizes.empty() ? "" : ",") + std::to_string(size < 0 ? 1 : size);
        const char* const comma = flags.names.empty() ? "" : ",";
        flags.names += comma + input.tensor;
        flags.types += comma + dtypeName(input.dtype);
        flags.shapes += (flags.shapes.empty() ? "" : ":") + sizes;
    }
    return flags;
}

std::string joined(const std::vector<std::string>& words, char separator)
{
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty())
            text += separator;
        text += word;
    }
    return text;
}

std::vector<std::string> remoteWords(const DeviceRequest& request, const LayerFlags& flags,
                                     const std::string& folder)
{
    std::vector<std::string> words;
    if (!request.cores.empty())
        words = {"taskset", request.cores};
    words.push_back(folder + "/benchmark_model");
    words.push_back("--graph=" + folder + "/" + remoteName(request.model));
    words.push_back("--input_layer=" + flags.names);
    words.push_back("--input_layer_shape=" + flags.shapes);
    words.push_back("--input_layer_type=" + flags.types);
    words.push_back("--output_layer=" + joined(request.outputs, ','));
    if (!request.targets.empty())
        words.push_back("--target_layer=" + joined(request.targets, ','));
    if (request.threads > 0)
        words.push_back("--num_threads=" + std::to_string(request.threads));
    if (request.runs > 0)
        words.push_back("--max_num_runs=" + std::to_string(request.runs));
    words.push_back("--benchmark_name=" + remoteName(request.model));
    words.push_back("--output_prefix=" + folder + "/results/");
    // Prints all rows of the tables, because the log is parsed node by node.
    for (const char* word :
         {"--show_run_order=true", "--run_order_limit=0", "--show_time=true", "--time_limit=0",
          "--show_memory=true", "--memory_limit=0", "--show_type=true", "--show_summary=true"})
        words.emplace_back(word);
    return words;
}

// Returns the command for the device's shell: every word quoted, whatever it contains.
std::string remoteLine(const std::vector<std::string>& words)
{
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + shellWord(word);
    return line;
}

Status check(const DeviceRequest& request)
{
    if (std::ranges::find(abis, std::string_view(request.abi)) == abis.end())
        return Error{ErrorCode::InvalidArgument,
                     "--abi " + request.abi +
                         " is not known; write arm64-v8a, armeabi-v7a, x86 or x86_64"};
    if (!request.folder.starts_with('/') || request.folder == "/")
        return Error{ErrorCode::InvalidArgument,
                     "--target-dir " + request.folder +
                         " is not a folder of the device; write /data/local/tmp"};
    const auto isHex = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    if (!std::ranges::all_of(request.cores, isHex))
        return Error{ErrorCode::InvalidArgument,
                     "--cores " + request.cores + " is not a mask; write it in hexadecimal, as f0"};
    if (request.outputs.empty() && request.targets.empty())
        return Error{ErrorCode::InvalidArgument, "there is nothing to compute; name an output"};
    return Done{};
}

std::string buildCommand(const std::string& abi)
{
    const std::string target = " //tensorflow/tools/benchmark:benchmark_model";
    if (abi == "arm64-v8a")
        return "bazel build -c opt --config=android_arm64" + target;
    return "bazel build -c opt --crosstool_top=//external:android/crosstool --cpu=" + abi +
           " --host_crosstool_top=@bazel_tools//tools/cpp:toolchain --config monolithic" + target;
}

// Tells whether a node has a tensor to fetch; others are run as targets.
bool hasTensor(const Graph& graph, const std::string& name)
{
    const NodeId id = graph.find(parseInput(name).node);
    const OpSpec* op = id.isValid() ? findOp(graph.node(id).op()) : nullptr;
    return !name.starts_with('^') && (op == nullptr || !op->outputs.empty());
}

} // namespace

std::span<const std::string_view> deviceAbis()
{
    return abis;
}

void addOutputs(const Graph& graph, const std::vector<std::string>& names, DeviceRequest& request)
{
    for (const std::string& name : names) {
        if (hasTensor(graph, name))
            request.outputs.push_back(withPort(name));
        else
            request.targets.emplace_back(parseInput(name).node);
    }
}

std::string shellWord(std::string_view text)
{
    const bool isPlain = !text.empty() && std::ranges::all_of(text, [](char c) {
        return isPlainLetter(c) || c == '/' || c == ':' || c == ',' || c == '=';
    });
    if (isPlain && !text.starts_with('='))
        return std::string(text);
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

Result<DevicePlan> planDeviceRun(const DeviceRequest& request)
{
    RETURN_IF_ERROR(check(request));
    ASSIGN_OR_RETURN(const auto flags, layerFlags(request.inputs));
    std::string base = request.folder;
    while (base.ends_with('/'))
        base.pop_back();
    const std::string folder = base + "/lapidary_run";
    const auto adb = [&](std::vector<std::string> words) {
        if (!request.serial.empty())
            words.insert(words.begin(), {"-s", request.serial});
        return words;
    };
    const auto shell = [&](const std::vector<std::string>& words) {
        return adb({"shell", remoteLine(words)});
    };
    DevicePlan plan{.abi = request.abi,
                    .build = buildCommand(request.abi),
                    .log = localPath(request.log),
                    .results = localPath(request.results),
                    .steps = {},
                    .cleanUp = {"Removing what was copied", shell({"rm", "-rf", folder})}};
    const std::string model = folder + "/" + remoteName(request.model);
    plan.steps.push_back({"Asking for the device", adb({"get-state"})});
    plan.steps.push_back({"Making a folder on the device", shell({"rm", "-rf", folder})});
    // The tool refuses to replace result files, so they get a new folder.
    plan.steps.back().words.back() += " && " + remoteLine({"mkdir", "-p", folder + "/results"});
    plan.steps.push_back({"Copying benchmark_model",
                          adb({"push", localPath(request.tool), folder + "/benchmark_model"})});
    plan.steps.push_back({"Copying the model", adb({"push", localPath(request.model), model})});
    plan.steps.push_back(
        {"Making it executable", shell({"chmod", "755", folder + "/benchmark_model"})});
    std::vector<std::string> run = shell(remoteWords(request, flags, folder));
    run.back() += " 2>&1";
    plan.steps.push_back({"Measuring", std::move(run), DeviceStep::Kind::Run});
    plan.steps.push_back({"Fetching the results",
                          adb({"pull", folder + "/results", plan.results + ".part"}),
                          DeviceStep::Kind::Pull});
    return plan;
}

} // namespace lapidary
