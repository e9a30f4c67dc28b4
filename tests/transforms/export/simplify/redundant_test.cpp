// SPDX-License-Identifier: Apache-2.0
// Operations that an exported file does not need.
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/export_plan.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

// Returns the operators of the file between x and y, which computes the same as the graph.
std::string operatorsOf(const GraphBuilder& builder, ExportTarget target,
                        std::vector<std::string> outputs = {"y"})
{
    GraphEntry entry;
    entry.graph = builder.build();
    ExportPlan plan;
    plan.target = target;
    plan.interface.inputs = {"x"};
    plan.interface.outputs = std::move(outputs);
    const auto report = runCheckedExport(entry, {}, plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    REQUIRE(report->check);
    CHECK(report->check->missing.empty());
    CHECK(report->check->isSame());
    std::string text;
    for (const auto& [name, count] : report->operators)
        text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
    return text;
}

GraphBuilder& reshape(GraphBuilder& builder, const std::string& name, const std::string& x,
                      std::vector<std::int32_t> sizes)
{
    const auto rank = std::int64_t(sizes.size());
    return builder.ints(name + "/sizes", {rank}, std::move(sizes))
        .node(name, "Reshape", {x, name + "/sizes"});
}

TestAttrs strides()
{
    return {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString("VALID")}};
}

// A convolution over the rows of a sequence, as TensorFlow writes one of one dimension.
GraphBuilder sequence()
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 6, 3});
    reshape(builder, "wide", "x", {2, 1, 6, 3});
    builder.floats("w", {1, 2, 3, 4}, {0.5F, -0.25F, 1, 0.75F})
        .node("conv", "Conv2D", {"wide", "w"}, strides());
    reshape(builder, "narrow", "conv", {2, 5, 4});
    builder.floats("b", {4}, {1, -2, 3, 0.5F}).node("biased", "BiasAdd", {"narrow", "b"});
    return builder;
}

} // namespace

TEST_CASE("The bias behind a convolution over a sequence becomes part of it", "[export][simplify]")
{
    GraphBuilder builder = sequence();
    builder.node("y", "Relu", {"biased"});
    CHECK(operatorsOf(builder, ExportTarget::Tflite) == "CONV_2D 1, RESHAPE 2");
    CHECK(operatorsOf(builder, ExportTarget::Onnx).find("Add") == std::string::npos);
}

TEST_CASE("Convolutions over a sequence need no Reshape between them", "[export][simplify]")
{
    GraphBuilder builder = sequence();
    builder.node("relu", "Relu", {"biased"});
    reshape(builder, "again", "relu", {2, 1, 5, 4});
    builder.floats("v", {1, 1, 4, 2}, {1, -1, 0.5F}).node("y", "Conv2D", {"again", "v"}, strides());
    CHECK(operatorsOf(builder, ExportTarget::Tflite) == "CONV_2D 2, RESHAPE 1");
}

TEST_CASE("A Reshape that changes channels, or that others read, stays before the bias",
          "[export][simplify]")
{
    GraphBuilder other;
    other.placeholder("x", {1, 2, 3, 2})
        .floats("w", {1, 1, 2, 4}, {0.5F, -0.25F, 1, 0.75F})
        .node("conv", "Conv2D", {"x", "w"}, strides());
    reshape(other, "flat", "conv", {1, 3, 8}).floats("b", {8}, {1, -2, 3, 0.5F, 4, 5, 6, 7});
    other.node("y", "Add", {"flat", "b"});
    CHECK(operatorsOf(other, ExportTarget::Tflite) == "ADD 1, CONV_2D 1, RESHAPE 1");
    GraphBuilder read = sequence();
    read.node("y", "Mul", {"biased", "narrow"});
    CHECK(operatorsOf(read, ExportTarget::Tflite) == "ADD 1, CONV_2D 1, MUL 1, RESHAPE 2");
}

TEST_CASE("What moves no element becomes a Reshape, or nothing", "[export][simplify]")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 5, 3})
        .ints("order", {3}, {1, 0, 2})
        .node("e", "Exp", {"x"})
        .node("steps", "Transpose", {"e", "order"})
        .node("s", "Sin", {"steps"})
        .node("back", "Transpose", {"s", "order"})
        .node("one", "Pack", {"back"}, {{"N", attr::fromInt(1)}, {"axis", attr::fromInt(0)}})
        .node("y", "Unpack", {"one"}, {{"num", attr::fromInt(1)}, {"axis", attr::fromInt(0)}});
    CHECK(operatorsOf(builder, ExportTarget::Tflite) == "EXP 1, RESHAPE 2, SIN 1");
    CHECK(operatorsOf(builder, ExportTarget::Onnx) == "Exp 1, Reshape 2, Sin 1");
    GraphBuilder moved;
    moved.placeholder("x", {2, 5, 3})
        .ints("order", {3}, {1, 0, 2})
        .node("y", "Transpose", {"x", "order"});
    CHECK(operatorsOf(moved, ExportTarget::Tflite) == "TRANSPOSE 1");
}

TEST_CASE("Parts that are joined again are not cut", "[export][simplify]")
{
    GraphBuilder builder;
    builder.placeholder("x", {3, 2})
        .node("e", "Exp", {"x"})
        .ints("axis", {}, {0})
        .node("cut", "Split", {"axis", "e"}, {{"num_split", attr::fromInt(3)}})
        .node("joined", "Pack", {"cut", "cut:1", "cut:2"},
              {{"N", attr::fromInt(3)}, {"axis", attr::fromInt(0)}})
        .node("y", "Sin", {"joined"});
    CHECK(operatorsOf(builder, ExportTarget::Tflite) == "EXP 1, RESHAPE 1, SIN 1");
    CHECK(operatorsOf(builder, ExportTarget::Onnx) == "Exp 1, Reshape 1, Sin 1");
    builder.node("z", "ConcatV2", {"cut", "cut:1", "cut:2", "axis"}, {{"N", attr::fromInt(3)}})
        .node("w", "Sin", {"z"});
    CHECK(operatorsOf(builder, ExportTarget::Tflite, {"w"}) == "EXP 1, SIN 1");
    GraphBuilder other;
    other.placeholder("x", {3, 2})
        .ints("axis", {}, {0})
        .node("cut", "Split", {"axis", "x"}, {{"num_split", attr::fromInt(3)}})
        .node("y", "Pack", {"cut:1", "cut", "cut:2"},
              {{"N", attr::fromInt(3)}, {"axis", attr::fromInt(0)}})
        .node("across", "Pack", {"cut", "cut:1", "cut:2"},
              {{"N", attr::fromInt(3)}, {"axis", attr::fromInt(1)}});
    CHECK(operatorsOf(other, ExportTarget::Tflite) == "PACK 1, SPLIT 1");
    CHECK(operatorsOf(other, ExportTarget::Tflite, {"across"}) == "PACK 1, SPLIT 1");
}

TEST_CASE("The larger of a number and a part of it is a LeakyRelu", "[export][simplify]")
{
    for (const float factor : {0.1F, 1.5F}) {
        GraphBuilder builder;
        builder.placeholder("x", {2, 3})
            .floats("factor", {}, {factor})
            .node("less", "Mul", {"factor", "x"})
            .node("y", "Maximum", {"less", "x"});
        CHECK(operatorsOf(builder, ExportTarget::Tflite) ==
              (factor < 1 ? "LEAKY_RELU 1" : "MAXIMUM 1, MUL 1"));
        CHECK(operatorsOf(builder, ExportTarget::Onnx) ==
              (factor < 1 ? "LeakyRelu 1" : "Max 1, Mul 1"));
    }
}

TEST_CASE("What changes nothing is not written", "[export][simplify]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3}).floats("one", {}, {1}).floats("zeros", {3}, {0});
    builder.node("scaled", "Mul", {"x", "one"})
        .node("shifted", "Add", {"zeros", "scaled"})
        .node("lowered", "Sub", {"shifted", "zeros"})
        .node("divided", "RealDiv", {"lowered", "one"})
        .node("back", "Neg", {"divided"})
        .node("forth", "Neg", {"back"})
        .node("y", "Exp", {"forth"});
    CHECK(operatorsOf(builder, ExportTarget::Tflite) == "EXP 1");
    CHECK(operatorsOf(builder, ExportTarget::Onnx) == "Exp 1");
    // These look alike and change x.
    GraphBuilder others;
    others.placeholder("x", {2, 3}).floats("zero", {}, {0}).floats("rows", {1, 2, 3}, {1});
    others.node("negative", "Sub", {"zero", "x"}).node("y", "Mul", {"negative", "rows"});
    CHECK(operatorsOf(others, ExportTarget::Tflite) == "MUL 1, SUB 1");
    // The negative is read too, and y has a name of its own.
    GraphBuilder read;
    read.placeholder("x", {2, 3}).node("e", "Exp", {"x"}).node("back", "Neg", {"e"});
    read.node("y", "Neg", {"back"}).node("s", "Sin", {"back"});
    GraphEntry entry;
    entry.graph = read.build();
    ExportPlan plan;
    plan.interface.inputs = {"x"};
    plan.interface.outputs = {"y", "s"};
    const auto report = runCheckedExport(entry, {}, plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    REQUIRE(report->check);
    CHECK(report->check->isSame());
}

TEST_CASE("An output that equals what was computed keeps its name", "[export][simplify]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3}).floats("one", {}, {1});
    builder.node("e", "Exp", {"x"}).node("y", "Mul", {"e", "one"});
    CHECK(operatorsOf(builder, ExportTarget::Tflite) == "EXP 1");
}

TEST_CASE("What is computed twice is written once", "[export][simplify]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3}).floats("a", {}, {3}).floats("b", {}, {3});
    builder.node("first", "Sub", {"a", "x"})
        .node("second", "Sub", {"b", "x"})
        .node("e", "Exp", {"first"})
        .node("f", "Exp", {"second"})
        .node("y", "Mul", {"e", "f"});
    CHECK(operatorsOf(builder, ExportTarget::Tflite) == "EXP 1, MUL 1, SUB 1");
    // Other parameters, or an output with a name of its own.
    GraphBuilder others;
    others.placeholder("x", {2, 3}).ints("rows", {1}, {0}).ints("columns", {1}, {1});
    const TestAttrs keeps{{"keep_dims", attr::fromBool(true)}};
    others.node("r", "Sum", {"x", "rows"}, keeps)
        .node("c", "Sum", {"x", "columns"}, keeps)
        .node("y", "Add", {"r", "c"});
    CHECK(operatorsOf(others, ExportTarget::Tflite) == "ADD 1, SUM 2");
    GraphBuilder named;
    named.placeholder("x", {2, 3}).node("e", "Exp", {"x"}).node("y", "Exp", {"x"});
    named.node("both", "Add", {"e", "y"});
    GraphEntry entry;
    entry.graph = named.build();
    ExportPlan plan;
    plan.interface.inputs = {"x"};
    plan.interface.outputs = {"both", "y"};
    const auto report = runCheckedExport(entry, {}, plan, Job());
    REQUIRE(report);
    REQUIRE(report->outputs.size() == 2);
    CHECK(report->outputs[1].name == "y");
    REQUIRE(report->check);
    CHECK(report->check->isSame());
}

TEST_CASE("Random numbers are drawn twice where they were", "[export][simplify]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3}).ints("sizes", {2}, {2, 3});
    for (const char* name : {"r", "s"})
        builder.node(
            name, "RandomUniform", {"sizes"},
            {{"dtype", attr::fromType(DType::Float)}, {"T", attr::fromType(DType::Int32)}});
    builder.node("both", "Add", {"r", "s"}).node("y", "Add", {"x", "both"});
    GraphEntry entry;
    entry.graph = builder.build();
    ExportPlan plan;
    plan.target = ExportTarget::Onnx;
    plan.interface.inputs = {"x"};
    plan.interface.outputs = {"y"};
    const auto report = runExport(entry, plan, Job());
    REQUIRE(report);
    CHECK(report->operators.at("RandomUniform") == 2);
}

TEST_CASE("Selu is three operators of TFLite", "[export][simplify]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3}).node("y", "Selu", {"x"});
    CHECK(operatorsOf(builder, ExportTarget::Tflite) == "ELU 1, LEAKY_RELU 1, MUL 1");
    CHECK(operatorsOf(builder, ExportTarget::Onnx) == "Selu 1");
}

TEST_CASE("An output that does not depend on the inputs is a constant of the file",
          "[export][simplify]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .floats("a", {2}, {1, -3})
        .floats("b", {2}, {2, 4})
        .node("sum", "AddV2", {"a", "b"})
        .node("y", "Maximum", {"sum", "a"});
    CHECK(operatorsOf(builder, ExportTarget::Tflite) == "");
    CHECK(operatorsOf(builder, ExportTarget::Onnx) == "Identity 1");
    builder.node("z", "Mul", {"x", "y"});
    CHECK(operatorsOf(builder, ExportTarget::Tflite, {"y", "z"}) == "MUL 1");
}

namespace {

// A picture that is normalized, and a layer of it.
GraphBuilder normalized(const std::string& op, const std::string& padding,
                        std::vector<float> mean = {3})
{
    const auto channels = std::int64_t(mean.size());
    GraphBuilder builder;
    builder.placeholder("x", {1, 5, 4, 3})
        .floats("mean", {channels}, std::move(mean))
        .floats("factor", {}, {0.25F})
        .node("moved", "Sub", {"x", "mean"})
        .node("scaled", "Mul", {"moved", "factor"})
        .floats("w", {2, 3, 3, 2}, {0.5F, -0.25F, 1, 0.75F, -1})
        .node("layer", op, {"scaled", "w"},
              {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString(padding)}});
    return builder;
}

} // namespace

TEST_CASE("The normalization before a layer that pads nothing becomes part of it",
          "[export][simplify]")
{
    for (const std::string op : {"Conv2D", "DepthwiseConv2dNative"})
        for (const std::vector<float>& mean : {std::vector<float>{3}, {1, -2, 3}}) {
            GraphBuilder builder = normalized(op, "VALID", mean);
            builder.node("y", "Relu", {"layer"});
            CHECK(operatorsOf(builder, ExportTarget::Tflite) ==
                  (op == "Conv2D" ? "CONV_2D 1" : "DEPTHWISE_CONV_2D 1"));
            CHECK(operatorsOf(builder, ExportTarget::Onnx).find("Mul") == std::string::npos);
        }
    GraphBuilder dense;
    dense.placeholder("x", {2, 6})
        .floats("mean", {6}, {1, -2, 3, 0.5F, 4, 5})
        .floats("w", {6, 2}, {0.5F, -0.25F, 1, 0.75F, -1})
        .node("moved", "Add", {"x", "mean"})
        .node("y", "MatMul", {"moved", "w"});
    CHECK(operatorsOf(dense, ExportTarget::Tflite) == "FULLY_CONNECTED 1");
}

TEST_CASE("Before a layer that pads, only the factor becomes part of it", "[export][simplify]")
{
    GraphBuilder builder = normalized("Conv2D", "SAME", {1, -2, 3});
    builder.node("y", "Relu", {"layer"});
    CHECK(operatorsOf(builder, ExportTarget::Tflite) == "ADD 1, CONV_2D 1");
    CHECK(operatorsOf(builder, ExportTarget::Onnx) == "Add 1, Conv 1, Relu 1, Transpose 2");
}

TEST_CASE("A normalization that others read, or with a factor for each channel, stays",
          "[export][simplify]")
{
    GraphBuilder read = normalized("Conv2D", "VALID");
    CHECK(operatorsOf(read, ExportTarget::Tflite, {"layer", "scaled"}) ==
          "CONV_2D 1, MUL 1, SUB 1");
    GraphBuilder other;
    other.placeholder("x", {1, 3, 3, 2})
        .floats("factor", {2}, {2, 3})
        .floats("w", {1, 1, 2, 2}, {0.5F, -0.25F, 1, 0.75F})
        .node("scaled", "Mul", {"x", "factor"})
        .node("y", "Conv2D", {"scaled", "w"}, strides());
    CHECK(operatorsOf(other, ExportTarget::Tflite) == "CONV_2D 1, MUL 1");
}

} // namespace lapidary
