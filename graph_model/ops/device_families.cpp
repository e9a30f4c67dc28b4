// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/device_families.h"

#include "graph_model/base/fixed_names.h"
#include "graph_model/ops/op_families.h"

#include <string>

namespace lapidary {
namespace {

struct DeviceOp {
    std::string_view name;
    OpFamily family;
};

// Operators whose names differ from those of equivalent TensorFlow ops.
constexpr DeviceOp deviceOps[] = {
    // TFLite
    {"ASSIGN_VARIABLE", OpFamily::DataMovement},
    {"AVERAGE_POOL_2D", OpFamily::Pooling},
    {"BATCH_MATMUL", OpFamily::HeavyMaths},
    {"BIDIRECTIONAL_SEQUENCE_LSTM", OpFamily::HeavyMaths},
    {"BIDIRECTIONAL_SEQUENCE_RNN", OpFamily::HeavyMaths},
    {"CALL", OpFamily::Control},
    {"CALL_ONCE", OpFamily::Control},
    {"CONCAT_EMBEDDINGS", OpFamily::DataMovement},
    {"DENSIFY", OpFamily::DataMovement},
    {"EMBEDDING_LOOKUP", OpFamily::DataMovement},
    {"EMBEDDING_LOOKUP_SPARSE", OpFamily::DataMovement},
    {"FULLY_CONNECTED", OpFamily::HeavyMaths},
    {"GELU", OpFamily::Activation},
    {"HARD_SWISH", OpFamily::Activation},
    {"HASHTABLE", OpFamily::Weights},
    {"HASHTABLE_FIND", OpFamily::DataMovement},
    {"HASHTABLE_IMPORT", OpFamily::DataMovement},
    {"HASHTABLE_LOOKUP", OpFamily::DataMovement},
    {"HASHTABLE_SIZE", OpFamily::DataMovement},
    {"L2_NORMALIZATION", OpFamily::Normalization},
    {"L2_POOL_2D", OpFamily::Pooling},
    {"LOCAL_RESPONSE_NORMALIZATION", OpFamily::Normalization},
    {"LOGISTIC", OpFamily::Activation},
    {"LOG_SOFTMAX", OpFamily::Activation},
    {"LSH_PROJECTION", OpFamily::HeavyMaths},
    {"MIRROR_PAD", OpFamily::DataMovement},
    {"PADV2", OpFamily::DataMovement},
    {"PRELU", OpFamily::Activation},
    {"READ_VARIABLE", OpFamily::DataMovement},
    {"REDUCE_ALL", OpFamily::Pooling},
    {"REDUCE_ANY", OpFamily::Pooling},
    {"REDUCE_MAX", OpFamily::Pooling},
    {"REDUCE_MIN", OpFamily::Pooling},
    {"REDUCE_PROD", OpFamily::Pooling},
    {"RFFT2D", OpFamily::HeavyMaths},
    {"RIGHT_SHIFT", OpFamily::ElementWise},
    {"SKIP_GRAM", OpFamily::DataMovement},
    {"STABLEHLO_COMPOSITE", OpFamily::Control},
    {"SVDF", OpFamily::HeavyMaths},
    {"TOPK_V2", OpFamily::Pooling},
    {"TRANSPOSE_CONV", OpFamily::HeavyMaths},
    {"UNIDIRECTIONAL_SEQUENCE_LSTM", OpFamily::HeavyMaths},
    {"UNIDIRECTIONAL_SEQUENCE_RNN", OpFamily::HeavyMaths},
    // Both
    {"GRU", OpFamily::HeavyMaths},
    {"LSTM", OpFamily::HeavyMaths},
    {"RNN", OpFamily::HeavyMaths},
    // ONNX
    {"And", OpFamily::ElementWise},
    {"Attention", OpFamily::HeavyMaths},
    {"AveragePool", OpFamily::Pooling},
    {"BatchNormalization", OpFamily::Normalization},
    {"Celu", OpFamily::Activation},
    {"Clip", OpFamily::ElementWise},
    {"Compress", OpFamily::DataMovement},
    {"Constant", OpFamily::Weights},
    {"ConstantOfShape", OpFamily::DataMovement},
    {"Conv", OpFamily::HeavyMaths},
    {"ConvInteger", OpFamily::HeavyMaths},
    {"ConvTranspose", OpFamily::HeavyMaths},
    {"CumSum", OpFamily::Pooling},
    {"DeformConv", OpFamily::HeavyMaths},
    {"DequantizeLinear", OpFamily::Quantized},
    {"Dropout", OpFamily::DataMovement},
    {"DynamicQuantizeLinear", OpFamily::Quantized},
    {"Expand", OpFamily::DataMovement},
    {"EyeLike", OpFamily::DataMovement},
    {"Flatten", OpFamily::DataMovement},
    {"GatherElements", OpFamily::DataMovement},
    {"GatherND", OpFamily::DataMovement},
    {"Gelu", OpFamily::Activation},
    {"Gemm", OpFamily::HeavyMaths},
    {"GlobalAveragePool", OpFamily::Pooling},
    {"GlobalLpPool", OpFamily::Pooling},
    {"GlobalMaxPool", OpFamily::Pooling},
    {"GreaterOrEqual", OpFamily::ElementWise},
    {"GridSample", OpFamily::DataMovement},
    {"GroupNormalization", OpFamily::Normalization},
    {"HardSigmoid", OpFamily::Activation},
    {"HardSwish", OpFamily::Activation},
    {"Hardmax", OpFamily::Activation},
    {"InstanceNormalization", OpFamily::Normalization},
    {"IsInf", OpFamily::ElementWise},
    {"IsNaN", OpFamily::ElementWise},
    {"LayerNormalization", OpFamily::Normalization},
    {"LessOrEqual", OpFamily::ElementWise},
    {"LogSoftmax", OpFamily::Activation},
    {"Loop", OpFamily::Control},
    {"LpNormalization", OpFamily::Normalization},
    {"LpPool", OpFamily::Pooling},
    {"MatMulInteger", OpFamily::HeavyMaths},
    {"MeanVarianceNormalization", OpFamily::Normalization},
    {"Mish", OpFamily::Activation},
    {"NonZero", OpFamily::DataMovement},
    {"Not", OpFamily::ElementWise},
    {"Or", OpFamily::ElementWise},
    {"PRelu", OpFamily::Activation},
    {"QLinearConv", OpFamily::HeavyMaths},
    {"QLinearMatMul", OpFamily::HeavyMaths},
    {"QuantizeLinear", OpFamily::Quantized},
    {"RMSNormalization", OpFamily::Normalization},
    {"ReduceL1", OpFamily::Pooling},
    {"ReduceL2", OpFamily::Pooling},
    {"ReduceLogSum", OpFamily::Pooling},
    {"ReduceLogSumExp", OpFamily::Pooling},
    {"ReduceMax", OpFamily::Pooling},
    {"ReduceMean", OpFamily::Pooling},
    {"ReduceMin", OpFamily::Pooling},
    {"ReduceProd", OpFamily::Pooling},
    {"ReduceSum", OpFamily::Pooling},
    {"ReduceSumSquare", OpFamily::Pooling},
    {"Resize", OpFamily::DataMovement},
    {"RoiAlign", OpFamily::Pooling},
    {"Scan", OpFamily::Control},
    {"ScatterElements", OpFamily::DataMovement},
    {"ScatterND", OpFamily::DataMovement},
    {"Shrink", OpFamily::Activation},
    {"SpaceToDepth", OpFamily::DataMovement},
    {"Swish", OpFamily::Activation},
    {"ThresholdedRelu", OpFamily::Activation},
    {"TopK", OpFamily::Pooling},
    {"Trilu", OpFamily::DataMovement},
    {"Unsqueeze", OpFamily::DataMovement},
    {"Upsample", OpFamily::DataMovement},
    {"Xor", OpFamily::ElementWise},
};

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Returns "MaxPool2D" for "MAX_POOL_2D"; empty if it is not in TFLite's spelling.
std::string asReferenceSpells(std::string_view op)
{
    std::string name;
    bool isWordStart = true;
    for (const char c : op) {
        if (!isUpper(c) && !isDigit(c) && c != '_')
            return {};
        if (c != '_')
            name += isWordStart || !isUpper(c) ? c : char(c - 'A' + 'a');
        isWordStart = c == '_' || isDigit(c);
    }
    return name;
}

} // namespace

OpFamily deviceFamily(std::string_view op)
{
    static const FixedNames names(deviceOps, &DeviceOp::name);
    if (const DeviceOp* known = names.entryOf(deviceOps, op))
        return known->family;
    const std::string name = asReferenceSpells(op);
    return name.empty() ? OpFamily::Unknown : familyByName(name);
}

} // namespace lapidary
