// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/export_model.h"

#include "graph_model/base/utf8.h"
#include "graph_model/onnx/check_onnx.h"
#include "graph_model/onnx/onnx_from_portable.h"
#include "graph_model/tflite/check_tflite.h"
#include "graph_model/tflite/tflite_from_portable.h"
#include "runner/setup/model_interface.h"
#include "transforms/export/int8/store_codes.h"
#include "transforms/export/recurrent/lower_recurrent.h"
#include "transforms/export/simplify/drop_redundant.h"
#include "transforms/export/simplify/simplify_portable.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

namespace lapidary {
namespace {

Status writeTflite(ExportedModel& result)
{
    ASSIGN_OR_RETURN(const TfliteModel file, tfliteFromPortable(result.model));
    for (const TfliteGraph& graph : file.graphs)
        for (const TfliteOperator& op : graph.operators)
            ++result.operators[op.customCode.empty() ? std::string(tfliteOperatorName(op.code))
                                                     : op.customCode];
    ASSIGN_OR_RETURN(result.file, encodeTflite(file));
    return checkTflite(file, *result.file);
}

void countOperators(const OnnxGraph& graph, std::map<std::string, std::size_t>& operators)
{
    for (const OnnxNode& node : graph.nodes) {
        ++operators[node.op];
        for (const OnnxAttribute& attribute : node.attributes)
            if (attribute.graph != nullptr)
                countOperators(*attribute.graph, operators);
    }
}

Status writeOnnx(ExportedModel& result, std::int64_t opset)
{
    ASSIGN_OR_RETURN(const OnnxModel file, onnxFromPortable(result.model, opset));
    countOperators(file, result.operators);
    ASSIGN_OR_RETURN(result.file, encodeOnnx(file));
    return checkOnnx(file, *result.file);
}

Status quantize(ExportedModel& result, const ModelExportOptions& options)
{
    expandForRanges(result.model);
    ASSIGN_OR_RETURN(const TensorRanges ranges, options.measure(result.model));
    QuantizeReport report = options.target == ExportTarget::Tflite
                                ? quantizePortable(result.model, ranges, options.ends)
                                : insertQuantizePairs(result.model, ranges, options.reducesRange);
    if (report.quantized == 0)
        return Error{ErrorCode::InvalidArgument,
                     "no operation can compute in 8 bits; " + (report.stayedFloat.empty()
                                                                   ? "the model has none"
                                                                   : report.stayedFloat.front())};
    for (std::string& line : report.stayedFloat)
        result.notes.push_back("stays float: " + std::move(line));
    if (options.target == ExportTarget::Onnx && !options.reducesRange)
        result.notes.emplace_back(
            "x86 processors without VNNI sum products of 8 bits in 16, which may saturate and "
            "change the results; for these, reduce the range of the weights to 7 bits");
    return Done{};
}

void countKinds(const PortableModel& model, std::map<PortableKind, std::size_t>& counts)
{
    for (const PortableOperation& operation : model.operations) {
        ++counts[operation.kind];
        for (const auto& part : operation.parts)
            countKinds(*part, counts);
    }
}

std::map<PortableKind, std::size_t> kindsOf(const PortableModel& model)
{
    std::map<PortableKind, std::size_t> counts;
    countKinds(model, counts);
    return counts;
}

// Merges operations, and counts those that became part of another one.
void simplify(ExportedModel& result, ExportTarget target)
{
    const auto before = kindsOf(result.model);
    simplifyPortable(result.model, target);
    const auto after = kindsOf(result.model);
    for (const auto& [kind, count] : before) {
        const auto left = after.find(kind);
        const std::size_t stayed = left == after.end() ? 0 : left->second;
        if (stayed < count)
            result.merged[std::string(portableKindName(kind))] = count - stayed;
    }
}

void noteRandom(const PortableModel& model, std::vector<std::string>& notes)
{
    for (const PortableOperation& operation : model.operations) {
        if (operation.kind == PortableKind::RandomNormal ||
            operation.kind == PortableKind::RandomUniform)
            notes.push_back(
                operation.source +
                " makes random numbers, which differ in each run and from TensorFlow's");
        for (const auto& part : operation.parts)
            noteRandom(*part, notes);
    }
}

// Names in a graph may have any bytes, but those in a file must be UTF-8 for its readers.
void makeNamesReadable(PortableModel& model)
{
    changeParts(model, makeNamesReadable);
    std::set<std::string, std::less<>> taken;
    std::map<std::string, std::size_t> copies; // the number of tensors of each name so far
    for (const PortableTensor& tensor : model.tensors)
        taken.insert(tensor.name);
    for (PortableTensor& tensor : model.tensors) {
        if (isValidUtf8(tensor.name))
            continue;
        std::ranges::replace_if(
            tensor.name, [](char c) { return static_cast<unsigned char>(c) >= 128; }, '_');
        const std::string readable = tensor.name;
        for (std::size_t& number = copies[readable]; !taken.insert(tensor.name).second;)
            tensor.name = readable + "_" + std::to_string(++number);
    }
}

void renameEnds(PortableModel& model, const EndNames& names)
{
    if (names.empty())
        return;
    std::set<std::string, std::less<>> taken;
    for (const PortableTensor& tensor : model.tensors)
        taken.insert(tensor.name);
    for (const auto* ends : {&model.inputs, &model.outputs})
        for (const TensorIndex end : *ends) {
            const auto known = names.find(withPort(model.at(end).name));
            if (known != names.end() && isValidUtf8(known->second) &&
                taken.insert(known->second).second)
                model.at(end).name = known->second;
        }
}

// Checks that every tensor is made before it is read or output: otherwise no runtime would load the
// file.
Status checkOrder(const PortableModel& model)
{
    std::vector<bool> isMade(model.tensors.size(), false);
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        isMade[i] = model.tensors[i].isConstant;
    for (const TensorIndex input : model.inputs)
        isMade[std::size_t(input)] = true;
    const auto missing = [&](const std::vector<TensorIndex>& tensors) -> const PortableTensor* {
        for (const TensorIndex index : tensors)
            if (index != noTensor && !isMade[std::size_t(index)])
                return &model.at(index);
        return nullptr;
    };
    for (const PortableOperation& operation : model.operations) {
        if (const PortableTensor* tensor = missing(operation.inputs))
            return Error{ErrorCode::Unsupported, operation.source + ": it reads " + tensor->name +
                                                     ", which nothing in the file produces"};
        for (const TensorIndex output : operation.outputs)
            isMade[std::size_t(output)] = true;
    }
    if (const PortableTensor* tensor = missing(model.outputs))
        return Error{ErrorCode::Unsupported, tensor->name + ": nothing in the file produces it"};
    return Done{};
}

bool isSmall(DType dtype)
{
    return dtype == DType::Int8 || dtype == DType::UInt8;
}

// Returns whether a target computes 8-bit integers, which are not codes, in wider integers only.
bool needsWiderNumbers(PortableKind kind, ExportTarget target)
{
    using enum PortableKind;
    constexpr std::array inBoth{Add, CumSum,     Div,       FloorDiv, Mul,
                                Sub, ReduceMean, ReduceSum, Square,   SquaredDifference};
    constexpr std::array inTflite{Abs,  Equal,     Greater, GreaterEqual,
                                  Less, LessEqual, Neg,     NotEqual};
    return std::ranges::find(inBoth, kind) != inBoth.end() ||
           (target == ExportTarget::Onnx ? kind == ReduceProd
                                         : std::ranges::find(inTflite, kind) != inTflite.end());
}

// Returns whether TFLite has an operation for int32, but not for int64.
bool takesNoLongs(PortableKind kind)
{
    using enum PortableKind;
    constexpr std::array kinds{Abs, ArgMax, ArgMin, Div, FloorDiv, Pow, SquaredDifference};
    return std::ranges::find(kinds, kind) != kinds.end();
}

// Returns why the format does not take an operation, although it knows the kind; empty if it does.
std::string obstacleOf(const PortableModel& model, const PortableOperation& operation,
                       ExportTarget target)
{
    const bool isTflite = target == ExportTarget::Tflite;
    if (operation.kind == PortableKind::Erf && isTflite)
        return "is not an operator of TFLite except inside of GELU: export to ONNX, or compute it "
               "outside of the model";
    if (operation.input(0) == noTensor)
        return "";
    const PortableTensor& x = model.at(operation.inputs[0]);
    if (x.quantized.isSet())
        return "";
    const std::string name = dtypeName(x.dtype);
    if (isSmall(x.dtype) && needsWiderNumbers(operation.kind, target))
        return "it computes " + name +
               ", which the runtimes only have as codes of numbers; cast "
               "to int32 in front of it";
    if (x.dtype == DType::Int64 && isTflite && takesNoLongs(operation.kind))
        return "it computes int64, which TFLite has no kernel of it for; cast to int32 in front of "
               "it";
    if (x.dtype == DType::Double &&
        (operation.kind == PortableKind::FloorDiv || operation.kind == PortableKind::FloorMod))
        return "it divides double numbers and rounds down, which onnxruntime does not; cast to "
               "float in front of it";
    return "";
}

std::vector<ExportRefusal> obstacles(const PortableModel& model, ExportTarget target)
{
    std::vector<ExportRefusal> refused;
    for (const PortableOperation& operation : model.operations)
        if (std::string reason = obstacleOf(model, operation, target); !reason.empty())
            refused.push_back({operation.source, std::string(portableKindName(operation.kind)),
                               std::move(reason)});
    for (const PortableOperation& operation : model.operations)
        for (const auto& part : operation.parts)
            for (ExportRefusal& one : obstacles(*part, target))
                refused.push_back(std::move(one));
    return refused;
}

} // namespace

Result<ExportedModel> exportModel(const GraphPtr& graph, const ExportInterface& interface,
                                  const ModelExportOptions& options, const Job& job)
{
    ExportInterface asked = interface;
    asked.keepsHalfEnds = options.target == ExportTarget::Onnx && !options.measure;
    asked.computesCodes = bool(options.measure);
    // A model that computes in 8 bits keeps its loops, and gets no recurrent layers.
    ASSIGN_OR_RETURN(LoweredModel lowered,
                     options.measure ? lowerAsItIs(graph, asked, options.target, job)
                                     : lowerWithLayers(graph, asked, options.target, job));
    ExportedModel result;
    result.dropped = std::move(lowered.dropped);
    result.notes = std::move(lowered.notes);
    result.refused = std::move(lowered.refused);
    result.model = std::move(lowered.model);
    result.model.description = options.description;
    if (!result.refused.empty())
        return result;
    RETURN_IF_ERROR(checkOrder(result.model));
    makeNamesReadable(result.model);
    simplify(result, options.target);
    noteRandom(result.model, result.notes);
    result.refused = obstacles(result.model, options.target);
    if (!result.refused.empty())
        return result;
    if (options.measure) {
        RETURN_IF_ERROR(quantize(result, options));
    } else {
        std::ranges::move(storeCodes(result.model), std::back_inserter(result.notes));
        storeWeights(result.model, options.weights);
    }
    if (options.target == ExportTarget::Tflite)
        outputConstants(result.model);
    renameEnds(result.model, options.endNames);
    RETURN_IF_ERROR(options.target == ExportTarget::Tflite ? writeTflite(result)
                                                           : writeOnnx(result, options.opset));
    return result;
}

} // namespace lapidary
