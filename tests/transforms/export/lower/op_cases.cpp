// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/export/lower/op_cases.h"

#include "graph_model/graph/attr_lists.h"
#include "graph_model/graph/stored_scales.h"
#include "graph_model/ops/op_registry.h"
#include "tests/detector_attrs.h"
#include "transforms/constants/const_node.h"

#include <map>

namespace lapidary {
namespace {

using Dims = std::vector<std::int64_t>;
using OpCases = std::map<std::string_view, OpCase>;

AttrBytes int32()
{
    return attr::fromType(DType::Int32);
}

std::function<void(GraphBuilder&)> constants(std::map<std::string, std::vector<std::int32_t>> ints)
{
    return [ints = std::move(ints)](GraphBuilder& builder) {
        for (const auto& [name, values] : ints)
            builder.ints(name, {std::int64_t(values.size())}, values);
    };
}

std::function<void(GraphBuilder&)> scalars(std::map<std::string, std::int32_t> ints)
{
    return [ints = std::move(ints)](GraphBuilder& builder) {
        for (const auto& [name, value] : ints)
            builder.ints(name, {}, {value});
    };
}

std::function<void(GraphBuilder&)>
pairsOfSizes(std::map<std::string, std::vector<std::int32_t>> all)
{
    return [all = std::move(all)](GraphBuilder& builder) {
        for (const auto& [name, values] : all)
            if (name == "block")
                builder.ints(name, {std::int64_t(values.size())}, values);
            else
                builder.ints(name, {std::int64_t(values.size() / 2), 2}, values);
    };
}

TestAttrs window(std::int64_t stride, const std::string& padding)
{
    return {{"strides", attr::fromInts({1, stride, stride, 1})},
            {"padding", attr::fromString(padding)}};
}

TestAttrs pool()
{
    TestAttrs attrs = window(2, "VALID");
    attrs.emplace_back("ksize", attr::fromInts({1, 2, 2, 1}));
    return attrs;
}

std::function<void(GraphBuilder&)> weights(const Dims& dims)
{
    return [dims](GraphBuilder& builder) { builder.floats("w", dims, {0.5F, -0.25F, 1, 0.75F}); };
}

// scale, offset, mean and variance of two channels.
void addStatistics(GraphBuilder& builder)
{
    builder.floats("scale", {2}, {2, 0.5F})
        .floats("offset", {2}, {0.25F, -1})
        .floats("mean", {2}, {0.125F, 0.5F})
        .floats("variance", {2}, {1, 0.5F});
}

OpCase norm()
{
    return {{"x", "scale", "offset", "mean", "variance"},
            {{"is_training", attr::fromBool(false)}, {"epsilon", attr::fromFloat(0.001F)}},
            {1, 4, 4, 2},
            addStatistics};
}

OpCases layerCases()
{
    const std::string same = "SAME";
    return {
        {"AvgPool", {{"x"}, pool()}},
        {"BatchMatMul", {{"x", "w"}, {}, {2, 3, 4}, weights({2, 4, 5})}},
        {"BatchMatMulV2", {{"x", "w"}, {}, {2, 3, 4}, weights({2, 4, 5})}},
        {"BatchNormWithGlobalNormalization",
         {{"x", "mean", "variance", "offset", "scale"},
          {{"variance_epsilon", attr::fromFloat(0.001F)},
           {"scale_after_normalization", attr::fromBool(true)}},
          {1, 4, 4, 2},
          addStatistics}},
        {"BiasAdd", {{"x", "w"}, {}, {1, 4, 4, 2}, weights({2})}},
        {"BiasAddV1", {{"x", "w"}, {}, {1, 4, 4, 2}, weights({2})}},
        {"Conv2D", {{"x", "w"}, window(1, same), {1, 4, 4, 2}, weights({3, 3, 2, 4})}},
        {"Conv3D",
         {{"x", "w"},
          {{"strides", attr::fromInts({1, 1, 2, 1, 1})}, {"padding", attr::fromString("SAME")}},
          {1, 3, 4, 5, 2},
          weights({2, 3, 1, 2, 3})}},
        {"Conv2DBackpropInput",
         {{"sizes", "w", "x"},
          window(2, same),
          {1, 2, 2, 2},
          [](GraphBuilder& builder) {
              builder.ints("sizes", {4}, {1, 4, 4, 3}).floats("w", {2, 2, 3, 2}, {0.5F, 1, -1});
          }}},
        {"DepthwiseConv2dNative",
         {{"x", "w"}, window(1, same), {1, 4, 4, 2}, weights({3, 3, 2, 1})}},
        {"FusedBatchNorm", norm()},
        {"FusedBatchNormV2", norm()},
        {"FusedBatchNormV3", norm()},
        {"LogSoftmax", {{"x"}, {}, {2, 4}}},
        {"MatMul", {{"x", "w"}, {}, {2, 3}, weights({3, 4})}},
        {"MaxPool", {{"x"}, pool()}},
        {"MaxPoolWithArgmax", {{"x"}, pool()}},
        {"Softmax", {{"x"}, {}, {2, 4}}},
    };
}

OpCases elementCases()
{
    const auto limits = [](GraphBuilder& builder) {
        builder.floats("low", {}, {-0.25F}).floats("high", {}, {0.5F});
    };
    return {
        {"AddN", {{"x", "b"}, {{"N", attr::fromInt(2)}}}},
        {"Cast", {{"x"}, {{"DstT", int32()}}}},
        {"ClipByValue", {{"x", "low", "high"}, {}, {2, 3}, limits}},
        {"LogicalAnd", {{"p", "q"}}},
        {"LogicalNot", {{"p"}}},
        {"LogicalOr", {{"p", "q"}}},
        {"Select", {{"p", "x", "b"}}},
        {"SelectV2", {{"p", "x", "b"}}},
        {"TruncateDiv", {{"n", "three"}, {{"T", int32()}}, {4}, scalars({{"three", 3}})}},
    };
}

OpCases reductionCases()
{
    OpCases cases;
    for (const char* op : {"EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum"})
        cases[op] = {{"x", "axes"}, {}, {2, 3, 4}, constants({{"axes", {0, 2}}})};
    for (const char* op : {"All", "Any"})
        cases[op] = {{"p", "axes"}, {}, {2, 3, 4}, constants({{"axes", {1}}})};
    for (const char* op : {"ArgMax", "ArgMin", "Cumprod", "Cumsum"})
        cases[op] = {{"x", "axis"}, {}, {2, 3, 4}, scalars({{"axis", 1}})};
    cases["TopKV2"] = {{"x", "k"}, {}, {2, 5}, scalars({{"k", 3}})};
    return cases;
}

OpCases selectionCases()
{
    const TestAttrs indices{{"Tindices", int32()}};
    return {
        {"Gather", {{"x", "i"}, indices, {3, 2}, constants({{"i", {2, 0}}})}},
        {"GatherNd",
         {{"x", "i"},
          indices,
          {3, 2},
          [](GraphBuilder& builder) {
              builder.ints("i", {2, 1}, {2, 0});
          }}},
        {"GatherV2",
         {{"x", "i", "axis"},
          {{"Tindices", int32()}, {"Taxis", int32()}},
          {2, 3},
          [](GraphBuilder& builder) {
              builder.ints("i", {2}, {2, 0}).ints("axis", {}, {1});
          }}},
        {"DynamicStitch",
         {{"i", "j", "x", "b"},
          {{"N", attr::fromInt(2)}},
          {2, 3},
          constants({{"i", {2, 0}}, {"j", {1, 3}}})}},
        {"InvertPermutation",
         {{"top:1"},
          {{"T", int32()}},
          {5},
          [](GraphBuilder& builder) {
              builder.ints("k", {}, {5});
              builder.node("top", "TopKV2", {"x", "k"});
          }}},
        {"MatrixBandPart",
         {{"x", "below", "above"},
          {{"Tindex", int32()}},
          {2, 4, 3},
          scalars({{"below", 1}, {"above", -1}})}},
        {"Roll",
         {{"x", "by", "along"},
          {{"Tshift", int32()}, {"Taxis", int32()}},
          {3, 5},
          constants({{"by", {2, -1}}, {"along", {1, 0}}})}},
        {"ScatterNd",
         {{"i", "x", "sizes"},
          indices,
          {2, 3},
          [](GraphBuilder& builder) {
              builder.ints("i", {2, 1}, {4, 1}).ints("sizes", {2}, {6, 3});
          }}},
        {"SparseToDense",
         {{"i", "sizes", "x", "rest"},
          indices,
          {2},
          [](GraphBuilder& builder) {
              builder.ints("i", {2, 2}, {0, 1, 1, 2}).ints("sizes", {2}, {2, 4});
              builder.floats("rest", {}, {-1});
          }}},
        {"TensorScatterUpdate",
         {{"x", "place", "row"},
          {{"Tindices", int32()}},
          {3, 2},
          [](GraphBuilder& builder) {
              builder.ints("place", {1, 1}, {2}).floats("row", {1, 2}, {7, -8});
          }}},
        {"OneHot",
         {{"n", "depth", "on", "off"},
          {{"TI", int32()}},
          {4},
          [](GraphBuilder& builder) {
              builder.ints("depth", {}, {3}).floats("on", {}, {2}).floats("off", {}, {-1});
          }}},
        {"ResizeBicubic", {{"x", "size"}, {}, {1, 4, 4, 2}, constants({{"size", {7, 6}}})}},
        {"ResizeBilinear", {{"x", "size"}, {}, {1, 4, 4, 2}, constants({{"size", {8, 6}}})}},
        {"ResizeNearestNeighbor", {{"x", "size"}, {}, {1, 4, 4, 2}, constants({{"size", {8, 8}}})}},
    };
}

OpCases resizingCases()
{
    const auto padded = pairsOfSizes({{"pads", {0, 0, 1, 2, 2, 1, 0, 0}}});
    return {
        {"BatchToSpaceND",
         {{"x", "block", "pads"},
          {},
          {4, 2, 2, 2},
          pairsOfSizes({{"block", {2, 2}}, {"pads", {0, 0, 0, 1}}})}},
        {"BroadcastTo", {{"x", "sizes"}, {}, {1, 3}, constants({{"sizes", {2, 3}}})}},
        {"CropAndResize",
         {{"x", "corners", "pictures", "size"},
          {{"extrapolation_value", attr::fromFloat(9)}},
          {2, 5, 4, 3},
          [](GraphBuilder& builder) {
              builder.floats("corners", {3, 4}, {0, 0, 1, 1, 0.25F, 0.9F, 0.75F, -0.2F, 0.5F, 0})
                  .ints("pictures", {3}, {1, 0, 1})
                  .ints("size", {2}, {3, 4});
          }}},
        {"ExtractImagePatches",
         {{"x"},
          {{"ksizes", attr::fromInts({1, 3, 2, 1})},
           {"strides", attr::fromInts({1, 2, 1, 1})},
           {"rates", attr::fromInts({1, 1, 1, 1})},
           {"padding", attr::fromString("SAME")}},
          {1, 6, 6, 2}}},
        {"DepthToSpace", {{"x"}, {{"block_size", attr::fromInt(2)}}, {1, 2, 2, 4}}},
        {"FakeQuantWithMinMaxArgs",
         {{"x"}, {{"min", attr::fromFloat(-0.7F)}, {"max", attr::fromFloat(0.9F)}}}},
        {"FakeQuantWithMinMaxVars",
         {{"x", "low", "high"},
          {{"num_bits", attr::fromInt(4)}},
          {2, 3},
          [](GraphBuilder& builder) {
              builder.floats("low", {}, {-0.7F}).floats("high", {}, {0.9F});
          }}},
        {"FakeQuantWithMinMaxVarsPerChannel",
         {{"x", "low", "high"},
          {{"narrow_range", attr::fromBool(true)}},
          {2, 3},
          [](GraphBuilder& builder) {
              builder.floats("low", {3}, {-0.7F, -1, 0}).floats("high", {3}, {0.9F, 0.5F, 1});
          }}},
        {"Fill",
         {{"sizes", "largest"},
          {},
          {4},
          [](GraphBuilder& builder) {
              builder.ints("sizes", {2}, {2, 3}).ints("axes", {1}, {0});
              builder.node("largest", "Max", {"x", "axes"});
          }}},
        {"MirrorPad",
         {{"x", "pads"}, {{"mode", attr::fromString("REFLECT")}}, {1, 4, 4, 2}, padded}},
        {"Pad", {{"x", "pads"}, {}, {1, 4, 4, 2}, padded}},
        {"PadV2",
         {{"x", "pads", "value"},
          {},
          {1, 4, 4, 2},
          [padded](GraphBuilder& builder) {
              padded(builder);
              builder.floats("value", {}, {3});
          }}},
        {"SpaceToBatchND",
         {{"x", "block", "pads"},
          {},
          {1, 4, 4, 2},
          pairsOfSizes({{"block", {2, 2}}, {"pads", {0, 0, 0, 0}}})}},
        {"SpaceToDepth", {{"x"}, {{"block_size", attr::fromInt(2)}}}},
        {"Tile", {{"x", "times"}, {}, {2, 3}, constants({{"times", {1, 2}}})}},
    };
}

OpCases arrangingCases()
{
    const TestAttrs index{{"Index", int32()}};
    return {
        {"Concat", {{"axis", "x", "b"}, {{"N", attr::fromInt(2)}}, {2, 3}, scalars({{"axis", 1}})}},
        {"ConcatV2",
         {{"x", "b", "axis"}, {{"N", attr::fromInt(2)}}, {2, 3}, scalars({{"axis", 1}})}},
        {"ExpandDims", {{"x", "axis"}, {}, {2, 3}, scalars({{"axis", 1}})}},
        {"Pack", {{"x", "b"}, {{"N", attr::fromInt(2)}, {"axis", attr::fromInt(1)}}, {2, 3}}},
        {"Reshape", {{"x", "sizes"}, {}, {2, 6}, constants({{"sizes", {3, -1}}})}},
        {"ReverseSequence",
         {{"x", "lengths"},
          {{"Tlen", int32()}, {"seq_dim", attr::fromInt(1)}},
          {2, 4},
          constants({{"lengths", {2, 3}}})}},
        {"ReverseV2", {{"x", "axes"}, {}, {2, 3}, constants({{"axes", {1, 0}}})}},
        {"Slice",
         {{"x", "begin", "size"}, index, {3, 4}, constants({{"begin", {1, 0}}, {"size", {2, 3}}})}},
        {"Split",
         {{"axis", "x"}, {{"num_split", attr::fromInt(2)}}, {2, 4}, scalars({{"axis", 1}})}},
        {"SplitV",
         {{"x", "sizes", "axis"},
          {{"Tlen", int32()}, {"num_split", attr::fromInt(2)}},
          {2, 4},
          [](GraphBuilder& builder) {
              builder.ints("sizes", {2}, {1, 3}).ints("axis", {}, {1});
          }}},
        {"Squeeze", {{"x"}, {}, {1, 3, 1}}},
        {"StridedSlice",
         {{"x", "begin", "end", "step"},
          index,
          {4, 6},
          constants({{"begin", {0, 1}}, {"end", {4, 6}}, {"step", {2, 2}}})}},
        {"Transpose", {{"x", "order"}, {}, {2, 3, 4}, constants({{"order", {2, 0, 1}}})}},
        {"Unpack", {{"x"}, {{"num", attr::fromInt(2)}, {"axis", attr::fromInt(0)}}, {2, 3}}},
    };
}

// Sizes known only at run time: the indices that a suppression keeps.
void addPlaces(GraphBuilder& builder)
{
    builder.ints("first", {1}, {0})
        .ints("most", {}, {3})
        .floats("overlap", {}, {0.4F})
        .floats("least", {}, {-0.5F})
        .floats("sigma", {}, {0});
    builder.ints("columns", {2}, {4, 1}).ints("along", {}, {1});
    builder.node("parts", "SplitV", {"x", "columns", "along"},
                 {{"Tlen", int32()}, {"num_split", attr::fromInt(2)}});
    builder.node("boxes", "Identity", {"parts"});
    builder.node("scores", "Squeeze", {"parts:1"}, {{"squeeze_dims", attr::fromInts({1})}});
    builder.node("places", "NonMaxSuppressionV3", {"boxes", "scores", "most", "overlap", "least"});
    builder.ints("zero", {}, {0}).ints("one", {}, {1});
    builder.node("number", "Max", {"places", "first"}, {{"T", int32()}});
}

// Boxes of four anchors that overlap here and there, of two classes.
void addAnchors(GraphBuilder& builder)
{
    builder.floats("anchors", {4, 4},
                   {0.25F, 0.25F, 0.5F, 0.5F, 0.3F, 0.3F, 0.5F, 0.5F, //
                    0.7F, 0.7F, 0.4F, 0.4F, 0.5F, 0.5F, 1, 1});
    builder.floats("scores", {1, 4, 3}, {0, 0.9F, 0.2F, 0, 0.8F, 0.6F, 0, 0.3F, 0.7F, 0, 0.4F, 0});
}

OpCases runtimeSizeCases()
{
    const Dims boxes{6, 5};
    const auto sizes = constants({{"sizes", {2, 3}}});
    const TestAttrs pads{{"pad_to_max_output_size", attr::fromBool(true)}};
    const TestAttrs floats{{"dtype", attr::fromType(DType::Float)}, {"T", int32()}};
    const TestAttrs whole{{"T", int32()}};
    return {
        {"NonMaxSuppression", {{"boxes", "scores", "most"}, {}, boxes, addPlaces}},
        {"NonMaxSuppressionV2", {{"boxes", "scores", "most", "overlap"}, {}, boxes, addPlaces}},
        {"NonMaxSuppressionV3",
         {{"boxes", "scores", "most", "overlap", "least"}, {}, boxes, addPlaces}},
        {"NonMaxSuppressionV4",
         {{"boxes", "scores", "most", "overlap", "least"}, pads, boxes, addPlaces}},
        {"NonMaxSuppressionV5",
         {{"boxes", "scores", "most", "overlap", "least", "sigma"}, {}, boxes, addPlaces}},
        {"RandomStandardNormal", {{"sizes"}, floats, {2}, sizes, "Sub"}},
        {"RandomUniform", {{"sizes"}, floats, {2}, sizes, "Sub"}},
        {"Range", {{"zero", "number", "one"}, {{"Tidx", int32()}}, boxes, addPlaces}},
        {"Shape", {{"places"}, whole, boxes, addPlaces}},
        {"Size", {{"places"}, whole, boxes, addPlaces}},
        {"TFLite_Detection_PostProcess",
         {{"x", "scores", "anchors"}, detectorAttrs<TestAttrs>(2), {1, 4, 4}, addAnchors}},
        {"Where", {{"p"}, {{"T", attr::fromType(DType::Bool)}}, {3, 4}}},
    };
}

// Weights of an LSTM of two cells that reads two columns.
void addLstmWeights(GraphBuilder& builder)
{
    builder.floats("c", {3, 2}, {0.25F, -0.5F, 0.75F}).floats("h", {3, 2}, {-0.5F, 1, 0.125F});
    builder.floats("w", {4, 8}, {0.5F, -0.25F, 1, 0.75F, -0.125F}).floats("bias", {8}, {0.25F, -1});
    builder.floats("peep", {2}, {0.5F, -0.75F});
    builder.ints("five", {}, {5});
    builder.node("steps", "Cast", {"five"},
                 {{"SrcT", int32()}, {"DstT", attr::fromType(DType::Int64)}});
}

OpCases recurrentCases()
{
    const auto weights = [](GraphBuilder& builder) {
        addLstmWeights(builder);
        builder.floats("wr", {4, 4}, {0.5F, -0.25F, 1}).floats("wc", {4, 2}, {0.75F, -0.5F});
        builder.floats("br", {4}, {0.25F}).floats("bc", {2}, {-0.125F});
    };
    const std::vector<std::string> sequence{"steps", "x",    "c",    "h",   "w",
                                            "peep",  "peep", "peep", "bias"};
    const TestAttrs plain{{"cell_clip", attr::fromFloat(-1)},
                          {"use_peephole", attr::fromBool(true)}};
    std::vector<std::string> cell{"x", "c", "h", "w", "peep", "peep", "peep", "bias"};
    return {
        {"BlockLSTM", {sequence, plain, {5, 3, 2}, weights}},
        {"BlockLSTMV2", {sequence, {}, {5, 3, 2}, weights}},
        {"GRUBlockCell", {{"x", "h", "wr", "wc", "br", "bc"}, {}, {3, 2}, weights}},
        {"LSTMBlockCell", {cell, {}, {3, 2}, weights}},
    };
}

OpCases codeCases()
{
    const auto scales = [](const std::string& operand) {
        TestAttrs attrs;
        addOperandScales(attrs, operand,
                         {.encodedScales = attr::fromFloats(std::vector{0.125F}),
                          .encodedZeroPoints = attr::fromInts({3})});
        return attrs;
    };
    TestAttrs from = scales("in0");
    from.emplace_back("T", attr::fromType(DType::Int8));
    TestAttrs into = scales("out");
    into.emplace_back("out_codes", attr::fromType(DType::Int8));
    return {{"_Tflite_DEQUANTIZE",
             {{"codes"},
              from,
              {2, 3},
              [](GraphBuilder& builder) {
                  builder.node("codes", "Cast", {"x"}, {{"DstT", attr::fromType(DType::Int8)}});
              }}},
            {"_Tflite_QUANTIZE", {{"x"}, into, {2, 3}}}};
}

OpCases allCases()
{
    OpCases all;
    for (OpCases cases :
         {layerCases(), elementCases(), reductionCases(), selectionCases(), resizingCases(),
          arrangingCases(), runtimeSizeCases(), recurrentCases(), joiningOpCases(), codeCases()})
        all.merge(cases);
    return all;
}

} // namespace

void addOthers(GraphBuilder& builder, const Dims& x)
{
    builder.placeholder("b", x)
        .node("p", "Greater", {"x", "b"})
        .node("q", "Less", {"x", "b"})
        .node("n", "Cast", {"x"}, {{"DstT", int32()}});
}

OpCase caseOf(std::string_view op)
{
    static const OpCases cases = allCases();
    if (const auto found = cases.find(op); found != cases.end())
        return found->second;
    const OpSpec* spec = findOp(op);
    const bool isBinary = spec != nullptr && spec->inputs.size() == 2;
    return {isBinary ? std::vector<std::string>{"x", "b"} : std::vector<std::string>{"x"}};
}

} // namespace lapidary
