// SPDX-License-Identifier: Apache-2.0
// An exported model computes what the graph computes: it is raised to a graph again, and both are
// run.
#include "tests/catch.h"
#include "tests/transforms/export/read_back.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/raise/raise_portable.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

Value numbers(const std::vector<std::int64_t>& dims, MemoryPool& pool)
{
    Value value = *Value::make(DType::Float, dims, pool);
    float next = -1;
    for (float& element : value.mutableAs<float>()) {
        element = next;
        next = next > 1 ? -1.25F : next + 0.37F;
    }
    return value;
}

std::vector<float> run(const GraphPtr& graph, const std::string& input, const std::string& output,
                       const std::vector<std::int64_t>& dims)
{
    Session session(graph, {});
    RunRequest request;
    request.feeds.emplace_back(input, numbers(dims, session.pool()));
    request.fetches = {output};
    const auto values = session.run(request, Job());
    INFO((values ? "" : values.error().message));
    REQUIRE(values);
    const auto elements = values->front().as<float>();
    return {elements.begin(), elements.end()};
}

double distance(const std::vector<float>& want, const std::vector<float>& got)
{
    REQUIRE(want.size() == got.size());
    double largest = 1e-9;
    double error = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
        largest = std::max(largest, double(std::abs(want[i])));
        error = std::max(error, double(std::abs(want[i] - got[i])));
    }
    return error / largest;
}

// Returns the largest difference between a graph and its export in either format, relative to the
// largest value.
double errorOf(const GraphBuilder& builder, const std::vector<std::int64_t>& dims,
               ExportTarget target, WeightFormat weights = WeightFormat::Float32)
{
    ModelExportOptions options;
    options.target = target;
    options.weights = weights;
    const GraphPtr graph = builder.build();
    const auto made = exportModel(graph, {.inputs = {"x"}, .outputs = {"y"}}, options, Job());
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    REQUIRE(made->refused.empty());
    const auto raised = raisePortable(made->model);
    REQUIRE(raised);
    const auto name = [&](TensorIndex index) { return raised->tensors[std::size_t(index)]; };
    const auto want = run(graph, "x", "y", dims);
    const auto got =
        run(raised->graph, name(made->model.inputs[0]), name(made->model.outputs[0]), dims);
    const auto read = run(readBack(*made), "x", "y", dims);
    return std::max(distance(want, got), distance(want, read));
}

double worstError(const GraphBuilder& builder, const std::vector<std::int64_t>& dims)
{
    return std::max(errorOf(builder, dims, ExportTarget::Tflite),
                    errorOf(builder, dims, ExportTarget::Onnx));
}

std::vector<float> someWeights(std::size_t count)
{
    std::vector<float> weights;
    for (std::size_t i = 0; i < count; ++i)
        weights.push_back(float(int(i * 7 % 13) - 6) / 8);
    return weights;
}

TestAttrs windowOfStride(std::int64_t stride, const std::string& padding)
{
    return {{"strides", attr::fromInts({1, stride, stride, 1})},
            {"padding", attr::fromString(padding)}};
}

TestAttrs ints32(std::initializer_list<const char*> names)
{
    TestAttrs attrs;
    for (const char* name : names)
        attrs.emplace_back(name, attr::fromType(DType::Int32));
    return attrs;
}

} // namespace

TEST_CASE("Layers, norms and activations compute the same when exported", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 7, 6, 3})
        .floats("w", {3, 3, 3, 4}, someWeights(108))
        .floats("d", {3, 3, 4, 2}, someWeights(72))
        .floats("scale", {4}, {2, 0.5F, -1, 3})
        .floats("offset", {4}, {1, 0, 0.25F, -2})
        .floats("mean", {4}, {0.5F, -1, 2, 0})
        .floats("variance", {4}, {1, 4, 0.25F, 9})
        .floats("bias", {8}, {1, -1, 0, 2, 3, 0.5F, 0, 1})
        .node("conv", "Conv2D", {"x", "w"}, windowOfStride(2, "SAME"))
        .node("norm", "FusedBatchNorm", {"conv", "scale", "offset", "mean", "variance"},
              {{"is_training", attr::fromBool(false)}, {"epsilon", attr::fromFloat(0.01F)}})
        .node("relu", "Relu6", {"norm"})
        .node("depth", "DepthwiseConv2dNative", {"relu", "d"}, windowOfStride(1, "VALID"))
        .node("sum", "BiasAdd", {"depth", "bias"})
        .node("y", "Softmax", {"sum"});
    CHECK(worstError(builder, {1, 7, 6, 3}) < 1e-5);
}

TEST_CASE("A normalization without a convolution computes the same when exported", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3, 3, 2})
        .floats("scale", {2}, {2, 0.5F})
        .floats("offset", {2}, {1, -3})
        .floats("mean", {2}, {0.5F, -1})
        .floats("variance", {2}, {1, 4})
        .node("norm", "FusedBatchNorm", {"x", "scale", "offset", "mean", "variance"},
              {{"is_training", attr::fromBool(false)}, {"epsilon", attr::fromFloat(0.01F)}})
        .node("y", "Relu", {"norm"});
    CHECK(worstError(builder, {2, 3, 3, 2}) < 1e-6);
}

TEST_CASE("A normalization in training mode is written out", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3, 3, 2})
        .floats("scale", {2}, {2, 0.5F})
        .floats("offset", {2}, {1, -3})
        .floats("none", {0}, {0})
        .node("y", "FusedBatchNorm", {"x", "scale", "offset", "none", "none"},
              {{"is_training", attr::fromBool(true)}, {"epsilon", attr::fromFloat(0.01F)}});
    CHECK(worstError(builder, {2, 3, 3, 2}) < 1e-5);
}

TEST_CASE("A convolution between SpaceToBatch and BatchToSpace gets a dilation", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 8, 8, 2})
        .floats("w", {3, 3, 2, 2}, someWeights(36))
        .ints("block", {2}, {2, 2})
        .ints("paddings", {2, 2}, {2, 2, 2, 2})
        .ints("crops", {2, 2}, {0, 0, 0, 0})
        .node("into", "SpaceToBatchND", {"x", "block", "paddings"},
              ints32({"Tblock_shape", "Tpaddings"}))
        .node("conv", "Conv2D", {"into", "w"}, windowOfStride(1, "VALID"))
        .node("y", "BatchToSpaceND", {"conv", "block", "crops"},
              ints32({"Tblock_shape", "Tcrops"}));
    CHECK(worstError(builder, {1, 8, 8, 2}) < 1e-5);
    const auto made = exportModel(builder.build(), {.inputs = {"x"}, .outputs = {"y"}}, {}, Job());
    REQUIRE(made);
    REQUIRE(made->model.operations.size() == 1);
    CHECK(made->model.operations[0].parameters.dilation == std::array<std::int64_t, 2>{2, 2});
    CHECK(made->model.operations[0].parameters.padding == PortablePadding::Same);
}

TEST_CASE("A depthwise convolution has a dilation between SpaceToBatch and BatchToSpace alone",
          "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 8, 8, 2})
        .floats("w", {3, 3, 2, 2}, someWeights(36))
        .ints("block", {2}, {2, 2})
        .ints("paddings", {2, 2}, {2, 2, 2, 2})
        .ints("crops", {2, 2}, {0, 0, 0, 0})
        .node("into", "SpaceToBatchND", {"x", "block", "paddings"},
              ints32({"Tblock_shape", "Tpaddings"}))
        .node("conv", "DepthwiseConv2dNative", {"into", "w"}, windowOfStride(1, "VALID"))
        .node("y", "BatchToSpaceND", {"conv", "block", "crops"},
              ints32({"Tblock_shape", "Tcrops"}));
    CHECK(worstError(builder, {1, 8, 8, 2}) < 1e-5);
    GraphBuilder ignored;
    TestAttrs attrs = windowOfStride(1, "SAME");
    attrs.emplace_back("dilations", attr::fromInts({1, 2, 2, 1}));
    ignored.placeholder("x", {1, 8, 8, 2})
        .floats("w", {3, 3, 2, 2}, someWeights(36))
        .node("y", "DepthwiseConv2dNative", {"x", "w"}, attrs);
    CHECK(worstError(ignored, {1, 8, 8, 2}) < 1e-5);
}

TEST_CASE("Groups and uneven steps, which no kernel computes, are made of what kernels do",
          "[export]")
{
    const auto raisedRun = [](const GraphBuilder& builder) {
        const ExportInterface ends{.inputs = {"x"}, .outputs = {"y"}};
        const auto made = exportModel(builder.build(), ends, {}, Job());
        REQUIRE(made);
        REQUIRE(made->refused.empty());
        const auto raised = raisePortable(made->model);
        REQUIRE(raised);
        const auto name = [&](TensorIndex index) { return raised->tensors[std::size_t(index)]; };
        return run(raised->graph, name(made->model.inputs[0]), name(made->model.outputs[0]),
                   {1, 4, 5, 4});
    };
    const auto begun = [](std::vector<std::int64_t> filter, std::size_t weights) {
        GraphBuilder builder;
        builder.placeholder("x", {1, 4, 5, 4}).floats("w", std::move(filter), someWeights(weights));
        return builder;
    };
    const auto window = windowOfStride(1, "SAME");
    GraphBuilder parts = begun({3, 3, 2, 6}, 108);
    parts.ints("last", {}, {3})
        .node("xs", "Split", {"last", "x"}, {{"num_split", attr::fromInt(2)}})
        .node("ws", "Split", {"last", "w"}, {{"num_split", attr::fromInt(2)}})
        .node("a", "Conv2D", {"xs", "ws"}, window)
        .node("b", "Conv2D", {"xs:1", "ws:1"}, window)
        .node("y", "ConcatV2", {"a", "b", "last"},
              {{"N", attr::fromInt(2)}, {"Tidx", attr::fromType(DType::Int32)}});
    const auto groups = raisedRun(begun({3, 3, 2, 6}, 108).node("y", "Conv2D", {"x", "w"}, window));
    CHECK(distance(run(parts.build(), "x", "y", {1, 4, 5, 4}), groups) < 1e-5);
    TestAttrs everySecond = ints32({"Index"});
    for (const char* mask : {"ellipsis_mask", "new_axis_mask", "shrink_axis_mask"})
        everySecond.emplace_back(mask, attr::fromInt(0));
    everySecond.emplace_back("begin_mask", attr::fromInt(15));
    everySecond.emplace_back("end_mask", attr::fromInt(15));
    for (const char* padding : {"SAME", "VALID"}) {
        GraphBuilder all = begun({3, 3, 4, 1}, 36);
        all.node("all", "DepthwiseConv2dNative", {"x", "w"}, windowOfStride(1, padding))
            .ints("none", {4}, {0, 0, 0, 0})
            .ints("step", {4}, {1, 1, 2, 1})
            .node("y", "StridedSlice", {"all", "none", "none", "step"}, everySecond);
        const TestAttrs uneven{{"strides", attr::fromInts({1, 1, 2, 1})},
                               {"padding", attr::fromString(padding)}};
        const auto steps = raisedRun(
            begun({3, 3, 4, 1}, 36).node("y", "DepthwiseConv2dNative", {"x", "w"}, uneven));
        CHECK(distance(run(all.build(), "x", "y", {1, 4, 5, 4}), steps) < 1e-5);
    }
}

TEST_CASE("Slices with every mask compute the same when exported", "[export]")
{
    for (const std::int64_t shrink : {0, 2})
        for (const std::int64_t endMask : {0, 1}) {
            GraphBuilder builder;
            TestAttrs attrs = ints32({"Index"});
            attrs.emplace_back("begin_mask", attr::fromInt(0));
            attrs.emplace_back("end_mask", attr::fromInt(endMask));
            attrs.emplace_back("ellipsis_mask", attr::fromInt(0));
            attrs.emplace_back("new_axis_mask", attr::fromInt(4));
            attrs.emplace_back("shrink_axis_mask", attr::fromInt(shrink));
            builder.placeholder("x", {5, 4})
                .ints("begin", {3}, {4, 1, 0})
                .ints("end", {3}, {0, 2, 0})
                .ints("step", {3}, {-2, 1, 1})
                .node("y", "StridedSlice", {"x", "begin", "end", "step"}, attrs);
            INFO("shrink " << shrink << ", end " << endMask);
            CHECK(worstError(builder, {5, 4}) == 0);
        }
}

TEST_CASE("Weights in fewer bits represent nearly the same values", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 64})
        .floats("w", {64, 32}, someWeights(2048))
        .node("y", "MatMul", {"x", "w"});
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        CHECK(errorOf(builder, {1, 64}, target, WeightFormat::Float16) < 1e-3);
        CHECK(errorOf(builder, {1, 64}, target, WeightFormat::Int8) < 2e-2);
    }
}

TEST_CASE("A condition becomes a selection, a settled one goes", "[export]")
{
    const auto conditional = [](bool isFixed) {
        GraphBuilder builder;
        builder.placeholder("x", {4});
        if (isFixed)
            builder.node(
                "p", "Const", {},
                {{"dtype", attr::fromType(DType::Bool)},
                 {"value", attr::fromTensorProto(std::string("\x08\x0a\x12\x00\x5a\x01\x01", 7))}});
        else
            builder.floats("zero", {}, {0})
                .ints("axis", {1}, {0})
                .node("total", "Sum", {"x", "axis"}, ints32({"Tidx"}))
                .node("p", "Greater", {"total", "zero"});
        builder.node("s", "Switch", {"x", "p"})
            .node("no", "Neg", {"s:0"})
            .node("yes", "Exp", {"s:1"})
            .node("y", "Merge", {"no", "yes"}, {{"N", attr::fromInt(2)}});
        return builder;
    };
    CHECK(worstError(conditional(true), {4}) < 1e-6);
    CHECK(worstError(conditional(false), {4}) < 1e-6);
    const auto made =
        exportModel(conditional(true).build(), {.inputs = {"x"}, .outputs = {"y"}}, {}, Job());
    REQUIRE(made);
    CHECK(made->model.operations.size() == 1);
}

} // namespace lapidary
