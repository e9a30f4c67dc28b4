// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/ops/op_registry.h"

#include <array>

namespace lapidary {
namespace {

// Ops with equal inputs, outputs and meaning.
constexpr std::array rows = std::to_array<LiftRow>({
    {"ABS", "Abs", "T:0"},
    {"ADD", "AddV2", "T:0"},
    {"ARG_MAX", "ArgMax", "T:0 Tidx:1", "output_type"},
    {"ARG_MIN", "ArgMin", "T:0 Tidx:1", "output_type"},
    {"ATAN2", "Atan2", "T:0"},
    {"BATCH_MATMUL", "BatchMatMulV2", "T:0", "adj_x adj_y"},
    {"BATCH_TO_SPACE_ND", "BatchToSpaceND", "T:0 Tblock_shape:1 Tcrops:2"},
    {"BITWISE_XOR", "BitwiseXor", "T:0"},
    {"BROADCAST_ARGS", "BroadcastArgs", "T:0"},
    {"BROADCAST_TO", "BroadcastTo", "T:0 Tidx:1"},
    {"CEIL", "Ceil", "T:0"},
    {"COMPLEX_ABS", "ComplexAbs", "T:0"},
    {"COS", "Cos", "T:0"},
    {"CUMSUM", "Cumsum", "T:0 Tidx:1", "exclusive reverse"},
    {"DENSIFY", "Identity", "T:0"}, // the reader has filled in the zeros
    {"DEPTH_TO_SPACE", "DepthToSpace", "T:0", "block_size"},
    {"DIV", "Div", "T:0"},
    {"ELU", "Elu", "T:0"},
    {"EQUAL", "Equal", "T:0"},
    {"EXP", "Exp", "T:0"},
    {"EXPAND_DIMS", "ExpandDims", "T:0 Tdim:1"},
    {"FAKE_QUANT", "FakeQuantWithMinMaxArgs", {}, "min max num_bits narrow_range"},
    {"FILL", "Fill", "T:1 index_type:0"},
    {"FLOOR", "Floor", "T:0"},
    {"FLOOR_DIV", "FloorDiv", "T:0"},
    {"FLOOR_MOD", "FloorMod", "T:0"},
    {"GATHER_ND", "GatherNd", "Tparams:0 Tindices:1"},
    {"GREATER", "Greater", "T:0"},
    {"GREATER_EQUAL", "GreaterEqual", "T:0"},
    {"IMAG", "Imag", "T:0"},
    {"LEAKY_RELU", "LeakyRelu", "T:0", "alpha"},
    {"LESS", "Less", "T:0"},
    {"LESS_EQUAL", "LessEqual", "T:0"},
    {"LOCAL_RESPONSE_NORMALIZATION", "LRN", "T:0", "depth_radius=radius bias alpha beta"},
    {"LOG", "Log", "T:0"},
    {"LOG_SOFTMAX", "LogSoftmax", "T:0"},
    {"LOGICAL_AND", "LogicalAnd"},
    {"LOGICAL_NOT", "LogicalNot"},
    {"LOGICAL_OR", "LogicalOr"},
    {"LOGISTIC", "Sigmoid", "T:0"},
    {"MATRIX_DIAG", "MatrixDiag", "T:0"},
    {"MATRIX_SET_DIAG", "MatrixSetDiag", "T:0"},
    {"MAXIMUM", "Maximum", "T:0"},
    {"MEAN", "Mean", "T:0 Tidx:1", "keep_dims"},
    {"MINIMUM", "Minimum", "T:0"},
    {"MIRROR_PAD", "MirrorPad", "T:0 Tpaddings:1", "mode"},
    {"MUL", "Mul", "T:0"},
    {"NEG", "Neg", "T:0"},
    {"NOT_EQUAL", "NotEqual", "T:0"},
    {"ONE_HOT", "OneHot", "T:2 TI:0", "axis"},
    {"PAD", "Pad", "T:0 Tpaddings:1"},
    {"PADV2", "PadV2", "T:0 Tpaddings:1"},
    {"POW", "Pow", "T:0"},
    {"RANGE", "Range", "Tidx:0"},
    {"RANK", "Rank", "T:0"},
    {"REAL", "Real", "T:0"},
    {"REDUCE_ALL", "All", "Tidx:1", "keep_dims"},
    {"REDUCE_ANY", "Any", "Tidx:1", "keep_dims"},
    {"REDUCE_MAX", "Max", "T:0 Tidx:1", "keep_dims"},
    {"REDUCE_MIN", "Min", "T:0 Tidx:1", "keep_dims"},
    {"REDUCE_PROD", "Prod", "T:0 Tidx:1", "keep_dims"},
    {"RELU", "Relu", "T:0"},
    {"RELU6", "Relu6", "T:0"},
    {"RFFT2D", "RFFT2D"},
    {"RESIZE_BILINEAR", "ResizeBilinear", "T:0", "align_corners half_pixel_centers"},
    {"RESIZE_NEAREST_NEIGHBOR", "ResizeNearestNeighbor", "T:0", "align_corners half_pixel_centers"},
    {"REVERSE_SEQUENCE", "ReverseSequence", "T:0 Tlen:1", "seq_dim batch_dim"},
    {"REVERSE_V2", "ReverseV2", "T:0 Tidx:1"},
    {"RIGHT_SHIFT", "RightShift", "T:0"},
    {"ROUND", "Round", "T:0"},
    {"RSQRT", "Rsqrt", "T:0"},
    {"SCATTER_ND", "ScatterNd", "T:1 Tindices:0"},
    {"SEGMENT_SUM", "SegmentSum", "T:0 Tindices:1"},
    {"SELECT", "SelectV2", "T:1"},
    {"SELECT_V2", "SelectV2", "T:1"},
    {"SHAPE", "Shape", "T:0", "out_type"},
    {"SIGN", "Sign", "T:0"},
    {"SIN", "Sin", "T:0"},
    {"SLICE", "Slice", "T:0 Index:1"},
    {"SPACE_TO_BATCH_ND", "SpaceToBatchND", "T:0 Tblock_shape:1 Tpaddings:2"},
    {"SPACE_TO_DEPTH", "SpaceToDepth", "T:0", "block_size"},
    {"SPARSE_TO_DENSE", "SparseToDense", "T:2 Tindices:0", "validate_indices"},
    {"SPLIT", "Split", "T:1", "num_split=num_splits"},
    {"SPLIT_V", "SplitV", "T:0 Tlen:1", "num_split=num_splits"},
    {"SQRT", "Sqrt", "T:0"},
    {"SQUARE", "Square", "T:0"},
    {"SQUARED_DIFFERENCE", "SquaredDifference", "T:0"},
    {"SQUEEZE", "Squeeze", "T:0", "squeeze_dims"},
    {"STRIDED_SLICE", "StridedSlice", "T:0 Index:1",
     "begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask"},
    {"SUB", "Sub", "T:0"},
    {"SUM", "Sum", "T:0 Tidx:1", "keep_dims"},
    {"TANH", "Tanh", "T:0"},
    {"TILE", "Tile", "T:0 Tmultiples:1"},
    {"TOPK_V2", "TopKV2", "T:0"},
    {"TRANSPOSE", "Transpose", "T:0 Tperm:1"},
    {"UNIQUE", "Unique", "T:0", "out_idx=idx_out_type"},
    {"UNPACK", "Unpack", "T:0", "num axis"},
    {"UNSORTED_SEGMENT_MAX", "UnsortedSegmentMax", "T:0 Tindices:1 Tnumsegments:2"},
    {"UNSORTED_SEGMENT_MIN", "UnsortedSegmentMin", "T:0 Tindices:1 Tnumsegments:2"},
    {"UNSORTED_SEGMENT_PROD", "UnsortedSegmentProd", "T:0 Tindices:1 Tnumsegments:2"},
    {"UNSORTED_SEGMENT_SUM", "UnsortedSegmentSum", "T:0 Tindices:1 Tnumsegments:2"},
    {"WHERE", "Where", "T:0"},
    {"ZEROS_LIKE", "ZerosLike", "T:0"},
});

std::string limited(LiftDraft& d, const std::string& x, float least, float most)
{
    const std::string below = d.step("Minimum", {x, d.oneFloat(most)}, floats());
    return d.step("Maximum", {below, d.oneFloat(least)}, floats());
}

std::string withActivation(LiftDraft& d, const std::string& made)
{
    const std::string_view activation = d.textAttr("fused_activation_function");
    if (activation == "RELU")
        return d.step("Relu", {made}, {typeAttr("T", d.outType())});
    if (activation == "RELU6")
        return d.step("Relu6", {made}, {typeAttr("T", d.outType())});
    if (activation == "TANH")
        return d.step("Tanh", {made}, {typeAttr("T", d.outType())});
    if (activation == "RELU_N1_TO_1")
        return limited(d, made, -1, 1);
    return made;
}

std::string liftLimit(LiftDraft& d)
{
    return limited(d, d.in(0), d.node().op() == "RELU_0_TO_1" ? 0.0F : -1.0F, 1);
}

// The inputs are indices, then the table whose rows they select.
std::string liftEmbedding(LiftDraft& d)
{
    return steps::gather(d, d.in(1), d.type(1), d.in(0), d.type(0), 0);
}

std::string joined(LiftDraft& d)
{
    std::vector<std::string> inputs;
    for (std::size_t slot = 0; slot < d.slots(); ++slot)
        inputs.push_back(d.in(slot));
    const auto count = attr::fromInt(std::int64_t(inputs.size()));
    const std::string_view op = d.node().op();
    if (op == "ADD_N")
        return d.step("AddN", inputs, {{"N", count}, typeAttr("T", d.type(0))});
    if (op == "PACK")
        return d.step("Pack", inputs,
                      {{"N", count},
                       {"axis", attr::fromInt(d.intAttr("axis", 0))},
                       typeAttr("T", d.type(0))});
    inputs.push_back(d.oneInt(d.intAttr("axis", 0)));
    return d.step("ConcatV2", inputs,
                  {{"N", count}, typeAttr("T", d.type(0)), typeAttr("Tidx", DType::Int32)});
}

std::string liftReshape(LiftDraft& d)
{
    if (!d.has(1))
        return reshaped(d, d.in(0), d.type(0), d.intsAttr("new_shape"));
    const auto sizes = d.shape(1);
    const bool isList = !sizes || sizes->dims.size() <= 1; // older converters write [1, sizes]
    const std::string list = isList ? d.in(1) : reshaped(d, d.in(1), d.type(1), {-1});
    return d.step("Reshape", {d.in(0), list},
                  {typeAttr("T", d.type(0)), typeAttr("Tshape", d.type(1))});
}

std::string liftGather(LiftDraft& d)
{
    return d.step("GatherV2", {d.in(0), d.in(1), d.oneInt(d.intAttr("axis", 0))},
                  {typeAttr("Tparams", d.type(0)),
                   typeAttr("Tindices", d.type(1)),
                   typeAttr("Taxis", DType::Int32),
                   {"batch_dims", attr::fromInt(d.intAttr("batch_dims", 0))}});
}

std::string liftCast(LiftDraft& d)
{
    if (d.type(0) == d.outType())
        return d.in(0);
    return d.step("Cast", {d.in(0)}, {typeAttr("SrcT", d.type(0)), typeAttr("DstT", d.outType())});
}

std::string liftSoftmax(LiftDraft& d)
{
    std::string x = d.in(0);
    if (const float beta = d.floatAttr("beta", 1); beta != 1)
        x = d.step("Mul", {x, d.oneFloat(beta)}, floats());
    return d.step("Softmax", {x}, {typeAttr("T", d.type(0))});
}

// Computes x * relu6(x + 3) / 6.
std::string liftHardSwish(LiftDraft& d)
{
    const std::string x = d.in(0);
    const std::string moved = d.step("AddV2", {x, d.oneFloat(3)}, floats());
    const std::string gate = d.step("Relu6", {moved}, floats());
    const std::string product = d.step("Mul", {x, gate}, floats());
    return d.step("Mul", {product, d.oneFloat(1.0F / 6)}, floats());
}

// Computes max(x, 0) + slope * min(x, 0).
std::string liftPrelu(LiftDraft& d)
{
    const std::string x = d.in(0);
    const std::string slope = d.in(1);
    const std::string positive = d.step("Relu", {x}, floats());
    const std::string negative = d.step("Minimum", {x, d.oneFloat(0)}, floats());
    const std::string scaled = d.step("Mul", {slope, negative}, floats());
    return d.step("AddV2", {positive, scaled}, floats());
}

std::string liftGelu(LiftDraft& d)
{
    return geluOf(d, d.in(0), d.node().attr("approximate").asBool().value_or(false));
}

// Computes x / max(sqrt(sum(x^2)), epsilon) along the last axis.
std::string liftNormalization(LiftDraft& d)
{
    const std::string x = d.in(0);
    const std::string square = d.step("Square", {x}, floats());
    const std::string sum = d.step("Sum", {square, d.intList({-1})},
                                   {typeAttr("T", DType::Float),
                                    typeAttr("Tidx", DType::Int32),
                                    {"keep_dims", attr::fromBool(true)}});
    const std::string norm = d.step("Sqrt", {sum}, floats());
    return d.step("Div", {x, d.step("Maximum", {norm, d.oneFloat(1e-6F)}, floats())}, floats());
}

std::string liftRandom(LiftDraft& d)
{
    const bool isUniform = d.node().op() == "RANDOM_UNIFORM";
    return d.step(isUniform ? "RandomUniform" : "RandomStandardNormal", {d.in(0)},
                  {typeAttr("T", d.type(0)), typeAttr("dtype", DType::Float)});
}

// Lifts an update of one whole row; other slices have no counterpart.
bool liftRowUpdate(LiftDraft& d)
{
    const auto all = d.dims(0);
    auto row = d.dims(1);
    if (d.node().op() != "DYNAMIC_UPDATE_SLICE" || !all || !row || all->empty() ||
        row->size() != all->size() || row->front() != 1)
        return false;
    row->front() = all->front();
    if (*row != *all)
        return false;
    const std::string first = d.step("Slice", {d.in(2), d.intList({0}), d.intList({1})},
                                     {typeAttr("T", d.type(2)), typeAttr("Index", DType::Int32)});
    const std::string place = reshaped(d, first, d.type(2), {1, 1});
    d.give({d.step("TensorScatterUpdate", {d.in(0), place, d.in(1)},
                   {typeAttr("T", d.type(0)), typeAttr("Tindices", d.type(2))})});
    return true;
}

struct Special {
    std::string_view op;
    std::string (*lift)(LiftDraft& draft);
};

constexpr std::array specials = std::to_array<Special>({
    {"ADD_N", joined},
    {"CAST", liftCast},
    {"CONCATENATION", joined},
    {"DEQUANTIZE", liftCast},
    {"EMBEDDING_LOOKUP", liftEmbedding},
    {"GATHER", liftGather},
    {"GELU", liftGelu},
    {"HARD_SWISH", liftHardSwish},
    {"L2_NORMALIZATION", liftNormalization},
    {"PACK", joined},
    {"PRELU", liftPrelu},
    {"QUANTIZE", liftCast},
    {"RANDOM_STANDARD_NORMAL", liftRandom},
    {"RANDOM_UNIFORM", liftRandom},
    {"RELU_0_TO_1", liftLimit},
    {"RELU_N1_TO_1", liftLimit},
    {"RESHAPE", liftReshape},
    {"SOFTMAX", liftSoftmax},
});

// Returns the names of all outputs of a step.
std::vector<std::string> portsOf(const LiftDraft& d, const std::string& made)
{
    std::vector<std::string> ports{made};
    const std::size_t count = d.node().attr("_output_types").types().size();
    for (std::size_t port = 1; port < count; ++port)
        ports.push_back(tensorName(made, std::int32_t(port)));
    return ports;
}

// The operators always pad to the maximum number.
bool liftSuppression(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    if (op != "NON_MAX_SUPPRESSION_V4" && op != "NON_MAX_SUPPRESSION_V5")
        return false;
    std::vector<std::string> inputs;
    for (std::size_t slot = 0; slot < d.slots(); ++slot)
        inputs.push_back(d.in(slot));
    const std::string made =
        d.step(op.ends_with("4") ? "NonMaxSuppressionV4" : "NonMaxSuppressionV5", std::move(inputs),
               {typeAttr("T", d.type(0)), {"pad_to_max_output_size", attr::fromBool(true)}});
    d.give(portsOf(d, made));
    return true;
}

// Lifts the custom operator at the end of detectors. Its options are attributes already, but a
// float may be stored as an integer.
bool liftDetection(LiftDraft& d)
{
    const Node& node = d.node();
    if (node.op() != "TFLite_Detection_PostProcess" || d.slots() != 3)
        return false;
    LiftDraft::Attrs attrs;
    for (const AttrSpec& attr : findOp(node.op())->attrs) {
        const AttrValue value = node.attr(attr.name);
        const auto whole = value.asInt();
        if (whole && attr.kind == "float")
            attrs.emplace_back(attr.name, attr::fromFloat(float(*whole)));
        else if (whole && attr.kind == "bool")
            attrs.emplace_back(attr.name, attr::fromBool(*whole != 0));
        else if (node.hasAttr(attr.name))
            attrs.emplace_back(attr.name, std::string(value.encoded()));
    }
    d.give(portsOf(d, d.step(node.op(), {d.in(0), d.in(1), d.in(2)}, std::move(attrs))));
    TensorState made;
    made.dtype = DType::Float;
    for (std::size_t port = 0; port < 4; ++port) {
        made.shape = d.outShape(port).value_or(unknownShape());
        d.describe(port, made);
    }
    return true;
}

// Lifts a TensorFlow op that the converter has put into the file unchanged: its attributes are
// those of TensorFlow, and its name begins with "Flex".
bool liftTensorFlowOp(LiftDraft& d)
{
    const Node& node = d.node();
    const OpSpec* op = findOp(d.textAttr("_tensorflow_op"));
    if (op == nullptr)
        return false;
    LiftDraft::Attrs attrs;
    for (const AttrSpec& attr : op->attrs)
        if (node.hasAttr(attr.name))
            attrs.emplace_back(attr.name, std::string(node.attr(attr.name).encoded()));
    std::vector<std::string> inputs;
    for (std::size_t slot = 0; slot < d.slots(); ++slot)
        inputs.push_back(d.in(slot));
    d.give(portsOf(d, d.step(op->name, std::move(inputs), std::move(attrs))));
    return true;
}

} // namespace

bool liftTflite(LiftDraft& draft)
{
    if (liftTfliteCodes(draft))
        return true;
    const std::string_view op = draft.node().op();
    for (const Special& special : specials)
        if (special.op == op) {
            draft.give({withActivation(draft, special.lift(draft))});
            return true;
        }
    if (liftTfliteControl(draft) || liftRowUpdate(draft) || liftSuppression(draft) ||
        liftDetection(draft) || liftTensorFlowOp(draft) || liftTfliteRecurrent(draft) ||
        liftTfliteVariable(draft))
        return true;
    std::string made;
    if (liftTfliteLayer(draft, made)) {
        draft.give({withActivation(draft, made)});
        return true;
    }
    const LiftRow* row = findRow(rows, op);
    if (row == nullptr)
        return false;
    made = liftByRow(draft, *row);
    draft.give(portsOf(draft, withActivation(draft, made)));
    return true;
}

} // namespace lapidary
