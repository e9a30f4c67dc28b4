// SPDX-License-Identifier: Apache-2.0
#include "app/cli/export/export_flags.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/interface/input_setting.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/lift/file_names.h"
#include "runner/guard/machine_memory.h"
#include "runner/setup/model_interface.h"

#include <algorithm>
#include <iterator>

namespace lapidary {
namespace {

Result<std::pair<std::string, std::string>> nameAndValue(const std::string& text,
                                                         std::string_view flag)
{
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
        return Error{ErrorCode::InvalidArgument,
                     std::string(flag) + " takes NAME=VALUE, not '" + text + "'"};
    return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

bool sameTensor(const std::string& a, const std::string& b)
{
    return tensorAsFlag(a) == tensorAsFlag(b);
}

// Adds a likely input. One that controls training gets its value for inference instead.
void addInput(const FeedTarget& input, const Graph& graph, ExportInterface& interface,
              Console& console)
{
    const std::string name = tensorAsFlag(input.tensor);
    if (std::ranges::any_of(interface.fixed,
                            [&](const auto& pair) { return sameTensor(pair.first, name); }))
        return;
    const auto setting = settingAsFlag(graph, input);
    if (!setting)
        return interface.inputs.push_back(input.tensor);
    interface.fixed.emplace_back(name, setting->value);
    console.complain(name + " is set to " + setting->value + ": it is " +
                     std::string(setting->reason) + "; --set " + name + "=VALUE sets another");
}

// Fills in the likely inputs and outputs if none are given.
Status completeInterface(const ExportFlags& flags, const GraphEntry& entry,
                         ExportInterface& interface, Console& console)
{
    if (!interface.inputs.empty() && !interface.outputs.empty())
        return Done{};
    ASSIGN_OR_RETURN(const ModelInterface known, modelInterface(entry, flags.signature));
    if (interface.inputs.empty())
        for (const FeedTarget& input : known.inputs)
            addInput(input, *entry.graph, interface, console);
    if (interface.outputs.empty())
        interface.outputs = known.outputs;
    return Done{};
}

} // namespace

void addExportOptions(VerbCall& call, ExportFlags& flags)
{
    call.addFile();
    call.addJson();
    CLI::App& options = call.options();
    options.get_option("FILE")->required(false);
    call.addOutput("-o,--output", flags.out, "the file to write (.tflite or .onnx)");
    options.add_flag("--reference", flags.printsReference,
                     "print the handbook's table of exported ops, in Markdown");
    options.add_option("--as", flags.format, "the format, if the name of OUT does not tell")
        ->check(CLI::IsMember({"tflite", "onnx"}));
    options
        .add_option("--inputs", flags.inputs,
                    "inputs of the written file; default: those of the model")
        ->delimiter(',');
    options
        .add_option("--outputs", flags.outputs,
                    "outputs of the written file; default: those of the model")
        ->delimiter(',');
    options.add_option("--signature", flags.signature,
                       "use the inputs and outputs of this signature");
    options.add_option("--checkpoint", flags.checkpoint,
                       "prefix of the checkpoint with the values of variables; default: the "
                       "checkpoint that belongs to FILE");
    options.add_option("--shape", flags.shapes, "the shape of an input: NAME=1,224,224,3");
    options.add_option("--set", flags.fixed,
                       "fix a placeholder or another scalar to a constant: is_training=false");
    options
        .add_option("--weights", flags.weights,
                    "type of the weights; with int8 activations stay float (dynamic range)")
        ->check(CLI::IsMember({"float32", "float16", "int8"}))
        ->capture_default_str();
    options
        .add_option(
            "--loops", flags.loops,
            "export loops as loop operators, or unrolled with a copy of the body per iteration; "
            "auto: unrolled if the number of iterations is bounded")
        ->check(CLI::IsMember({"auto", "operators", "unrolled"}))
        ->capture_default_str();
    options.add_flag(
        "--int8", flags.int8,
        "quantize weights and activations to 8 bits, with ranges from --images or --log");
    options.add_option("--images", flags.images, "a folder of pictures to calibrate with");
    options.add_option("--log", flags.log,
                       "log of ranges from an 8-bit graph of the model (observe --log)");
    options
        .add_option("--io", flags.ends, "type of the inputs and outputs of an 8-bit TFLite file")
        ->check(CLI::IsMember({"float", "int8"}))
        ->capture_default_str();
    options.add_flag("--reduce-range,--reduce_range", flags.reducesRange,
                     "use 7-bit weights, for ONNX on x86 processors without VNNI");
    addLabelingOptions(options, flags.labeling);
    options.add_option("--opset", flags.opset, "the ONNX opset version")
        ->check(CLI::Range(13, 21))
        ->capture_default_str();
    options.add_flag(
        "--check", flags.checks,
        "run the model and the file on the same inputs and print how the results differ");
    addGuardOptions(options, flags.guard);
}

BoxGrants grantsOf(const ExportFlags& flags, const std::string& model)
{
    BoxGrants grants{.writable = {flags.out}, .memory = usualMemoryLimit()};
    grantModel(model, grants);
    if (!flags.checkpoint.empty())
        grantModel(flags.checkpoint, grants);
    for (const std::string& path : {flags.images, flags.log})
        if (!path.empty())
            grants.readable.emplace_back(path);
    return grants;
}

Result<ExportPlan> exportPlanOf(const ExportFlags& flags)
{
    ExportPlan plan;
    plan.opset = flags.opset;
    plan.weights = flags.weights == "float16" ? WeightFormat::Float16
                   : flags.weights == "int8"  ? WeightFormat::Int8
                                              : WeightFormat::Float32;
    plan.description = "made by Lapidary " LAPIDARY_VERSION;
    if (flags.format == "onnx" || (flags.format.empty() && flags.out.ends_with(".onnx")))
        plan.target = ExportTarget::Onnx;
    else if (flags.format.empty() && !flags.out.ends_with(".tflite"))
        return Error{ErrorCode::InvalidArgument,
                     "the file name '" + flags.out +
                         "' has no known extension; end it with .tflite or .onnx, or pass --as"};
    plan.ends = flags.ends == "int8" ? QuantizedEnds::Int8 : QuantizedEnds::Float;
    plan.reducesRange = flags.reducesRange;
    if (flags.int8 && flags.images.empty() == flags.log.empty())
        return Error{ErrorCode::InvalidArgument,
                     "--int8 needs the ranges of the tensors; give --images or --log"};
    if (flags.int8)
        plan.ranges = RangeSource{.pictures = flags.images,
                                  .log = flags.log,
                                  .feed = flags.labeling.feed,
                                  .input = flags.labeling.input};
    return plan;
}

std::optional<FixedSetting> settingAsFlag(const Graph& graph, const FeedTarget& input)
{
    const Input tensor = parseInput(input.tensor);
    const auto setting = inputSetting(graph, {graph.find(tensor.node), tensor.port});
    if (!setting)
        return std::nullopt;
    const bool isOn = setting->value != 0;
    const bool isSwitch = input.dtype == DType::Bool;
    return FixedSetting{isSwitch ? (isOn ? "true" : "false") : (isOn ? "1" : "0"), setting->reason};
}

Result<ExportInterface> exportInterfaceOf(const ExportFlags& flags, const GraphEntry& entry,
                                          Console& console)
{
    ExportInterface interface;
    const FileNames names(entry);
    // Returns the name of the tensor in a .tflite or .onnx file.
    const auto tensor = [&](const std::string& name) {
        return dialectOf(*entry.graph) == Dialect::TensorFlow ? name : names.tensor(name);
    };
    for (const std::string& text : flags.shapes) {
        ASSIGN_OR_RETURN(const auto pair, nameAndValue(text, "--shape"));
        auto shape = parseShape(pair.second);
        if (!shape)
            return shape.error().within("--shape " + text);
        interface.shapes.emplace_back(tensor(pair.first), *std::move(shape));
    }
    for (const std::string& text : flags.fixed) {
        ASSIGN_OR_RETURN(auto pair, nameAndValue(text, "--set"));
        interface.fixed.push_back(std::move(pair));
    }
    interface.loops = flags.loops == "operators"  ? LoopForm::Operators
                      : flags.loops == "unrolled" ? LoopForm::Unrolled
                                                  : LoopForm::Auto;
    std::ranges::transform(flags.inputs, std::back_inserter(interface.inputs), tensor);
    std::ranges::transform(flags.outputs, std::back_inserter(interface.outputs), tensor);
    RETURN_IF_ERROR(completeInterface(flags, entry, interface, console));
    for (const auto& [name, shape] : interface.shapes)
        if (std::ranges::none_of(interface.inputs, [&named = name](const std::string& input) {
                return sameTensor(input, named);
            }))
            return Error{ErrorCode::NotFound, "--shape " + name + ": the file has no such input"};
    return interface;
}

} // namespace lapidary
