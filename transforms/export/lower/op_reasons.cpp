// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/lower/op_reasons.h"

#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/export/lower/lowering.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::string_view picture = "reads a picture's file format; choose its outputs as inputs";
constexpr std::string_view sound = "reads a sound's file format; choose its outputs as inputs";
constexpr std::string_view decoder =
    "has a counterpart in neither format; choose its inputs as outputs";
constexpr std::string_view strings =
    "works on strings, which the runtimes do not compute with; choose its outputs as inputs";
constexpr std::string_view examples = "reads protocol buffers; choose its outputs as inputs";
constexpr std::string_view randomNumbers =
    "makes random numbers, which no runtime repeats; a dropout goes if it is removed before";
constexpr std::string_view table = "looks words up in a table; choose its outputs as inputs";

constexpr std::array refused{
    RefusedOp{"AsString", strings},
    RefusedOp{"CTCBeamSearchDecoder", decoder},
    RefusedOp{"CTCGreedyDecoder", decoder},
    RefusedOp{"DecodeBmp", picture},
    RefusedOp{"DecodeGif", picture},
    RefusedOp{"DecodeJpeg", picture},
    RefusedOp{"DecodePng", picture},
    RefusedOp{"DecodeRaw", strings},
    RefusedOp{"DecodeWav", sound},
    RefusedOp{"HashTable", table},
    RefusedOp{"HashTableV2", table},
    RefusedOp{"LookupTableFind", table},
    RefusedOp{"LookupTableFindV2", table},
    RefusedOp{"LookupTableSizeV2", table},
    RefusedOp{"Multinomial", randomNumbers},
    RefusedOp{"ParseExample", examples},
    RefusedOp{"ParseExampleV2", examples},
    RefusedOp{"ParseSingleExample", examples},
    RefusedOp{"RandomShuffle", randomNumbers},
    RefusedOp{"RandomUniformInt", randomNumbers},
    RefusedOp{"ReduceJoin", strings},
    RefusedOp{"StaticRegexFullMatch", strings},
    RefusedOp{"StringJoin", strings},
    RefusedOp{"StringSplit", strings},
    RefusedOp{"StringToHashBucketFast", strings},
    RefusedOp{"StringToNumber", strings},
    RefusedOp{"TruncatedNormal", randomNumbers},
};

bool isTraining(std::string_view op)
{
    return op.ends_with("Grad") || op.ends_with("GradV2") || op.ends_with("GradV3") ||
           op.starts_with("Apply") || op.starts_with("ResourceApply") ||
           op.starts_with("ResourceSparseApply") || op.find("Backprop") != op.npos ||
           op.ends_with("CrossEntropyWithLogits") || op == "BroadcastGradientArgs";
}

// Returns whether an op computes in 8 bits; fake quantization computes in float.
bool isEightBit(std::string_view op)
{
    return opFamily(op) == OpFamily::Quantized && !op.starts_with("FakeQuant");
}

} // namespace

std::span<const RefusedOp> refusedOps()
{
    return refused;
}

std::string reasonAgainstCodes()
{
    return "it computes in codes of 8 or 16 bits, or rounds as layers with such weights do; export "
           "to ONNX without ranges, which keeps codes of 8 bits, or export the float model that it "
           "was made from";
}

std::string reasonAgainst(const Node& node)
{
    const std::string_view op = node.op();
    const auto known = std::ranges::lower_bound(refused, op, {}, &RefusedOp::op);
    if (known != refused.end() && known->op == op)
        return "it " + std::string(known->reason);
    if (isVariable(op) || isVariableRead(op) || op.starts_with("Assign"))
        return "it is a variable or changes one, and the file that is exported has constants "
               "instead; name the checkpoint that has the values, or freeze the graph first";
    if (isPipelineOp(op))
        return "it brings data in from outside of the graph; choose its outputs as inputs";
    if (isEightBit(op))
        return "it computes in TensorFlow's own 8 bits; export the float graph with int8, and the "
               "ranges that observe logs of this one";
    if (op.starts_with("_Tflite_") && findLowerRow(op) == nullptr)
        return reasonAgainstCodes();
    if (op.starts_with("_Onnx_"))
        return "it is an operator that only ONNX has, and that is read but not written; choose "
               "its inputs as outputs";
    if (op.starts_with("ONNX.") || op.starts_with("TFLite."))
        return "it is an operator of the file that has no counterpart here; choose its outputs as "
               "inputs, or its inputs as outputs";
    if (op != "Conv2DBackpropInput" && isTraining(op))
        return "it belongs to training; choose its inputs as outputs";
    if (controlFlow(op) != ControlFlow::None)
        return "it belongs to a loop or a condition; give the predicate a value, or name other "
               "inputs or outputs, so that it is outside";
    if (op.starts_with("TensorArray") || op.starts_with("TensorList") || op == "EmptyTensorList")
        return "its array belongs to a loop that cannot be written out: the number of iterations, "
               "or the places that are read and written, depend on the inputs";
    if (callKind(op) != CallKind::None)
        return "it calls a function of the library; export the part before or after it";
    return "";
}

} // namespace lapidary
