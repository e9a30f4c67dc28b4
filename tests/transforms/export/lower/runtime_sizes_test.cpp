// SPDX-License-Identifier: Apache-2.0
// Detections in a picture, whose number is known only at run time.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/export_model.h"
#include "transforms/export/export_plan.h"

#include <algorithm>

namespace lapidary {
namespace {

AttrBytes int32()
{
    return attr::fromType(DType::Int32);
}

// The kept boxes, their scores, and a class for each; the best two of them.
GraphBuilder detector()
{
    GraphBuilder builder;
    builder.placeholder("boxes", {8, 4})
        .placeholder("scores", {8})
        .ints("most", {}, {4})
        .floats("overlap", {}, {0.3F})
        .ints("axis", {}, {0})
        .ints("two", {}, {2})
        .floats("class", {}, {5})
        .node("places", "NonMaxSuppressionV2", {"boxes", "scores", "most", "overlap"});
    const TestAttrs gathers{{"Tindices", int32()}, {"Taxis", int32()}};
    builder.node("found", "GatherV2", {"boxes", "places", "axis"}, gathers)
        .node("best", "GatherV2", {"scores", "places", "axis"}, gathers)
        .node("shape", "Shape", {"places"}, {{"T", int32()}})
        .node("classes", "Fill", {"shape", "class"})
        .node("both", "ConcatV2", {"best", "classes", "axis"}, {{"N", attr::fromInt(2)}})
        .node("size", "Size", {"both"})
        .node("count", "Minimum", {"two", "size"}, {{"T", int32()}})
        .node("top", "TopKV2", {"both", "count"})
        .node("picked", "ExpandDims", {"top", "axis"})
        .ints("begin", {2}, {0, 1})
        .ints("end", {2}, {0, 2})
        .ints("step", {2}, {1, 1})
        .node("left", "StridedSlice", {"found", "begin", "end", "step"},
              {{"Index", int32()},
               {"begin_mask", attr::fromInt(1)},
               {"end_mask", attr::fromInt(1)},
               {"shrink_axis_mask", attr::fromInt(2)}});
    return builder;
}

ExportReport exported(const GraphBuilder& builder, ExportPlan plan)
{
    GraphEntry entry;
    entry.graph = builder.build();
    const auto report = runCheckedExport(entry, {}, plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    return *report;
}

ExportPlan planTo(ExportTarget target, std::vector<std::string> inputs,
                  std::vector<std::string> outputs)
{
    ExportPlan plan;
    plan.target = target;
    plan.interface.inputs = std::move(inputs);
    plan.interface.outputs = std::move(outputs);
    return plan;
}

} // namespace

TEST_CASE("The boxes that a suppression leaves are exported with their number open", "[export]")
{
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        const ExportReport report =
            exported(detector(), planTo(target, {"boxes", "scores"}, {"found", "picked", "left"}));
        INFO((report.refused.empty() ? "" : report.refused[0].reason));
        REQUIRE(report.file);
        REQUIRE(report.check);
        CHECK(report.check->missing.empty());
        CHECK(report.check->isSame());
        REQUIRE(report.outputs.size() == 3);
        CHECK(report.outputs[0].dims == std::vector<std::int64_t>{-1, 4});
        CHECK(report.outputs[1].dims == std::vector<std::int64_t>{1, -1});
        CHECK(report.outputs[2].dims == std::vector<std::int64_t>{-1});
    }
}

TEST_CASE("Computing with sizes is refused if only a run knows them", "[export]")
{
    GraphBuilder builder = detector();
    builder.ints("times", {2}, {1, 2}).node("twice", "Tile", {"found", "times"});
    const ExportReport report =
        exported(builder, planTo(ExportTarget::Onnx, {"boxes", "scores"}, {"twice"}));
    CHECK_FALSE(report.file);
    REQUIRE(report.refused.size() == 1);
    CHECK(report.refused[0].node == "twice");
    CHECK(report.refused[0].reason.find("depends on more than") != std::string::npos);
    REQUIRE(report.cut);
    CHECK(report.cut->outputs == std::vector<std::string>{"found"});
}

TEST_CASE("A cut keeps the inputs that only sizes depend on", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {3}).placeholder("q", {2, 3});
    builder.node("size", "Size", {"q"})
        .node("count", "Cast", {"size"},
              {{"SrcT", int32()}, {"DstT", attr::fromType(DType::Float)}})
        .node("a", "Mul", {"x", "count"})
        .node("y", "RandomShuffle", {"a"});
    const ExportReport report =
        exported(builder, planTo(ExportTarget::Onnx, {"x:0", "q:0"}, {"y:0"}));
    CHECK_FALSE(report.file);
    REQUIRE(report.cut);
    CHECK(report.cut->outputs == std::vector<std::string>{"a"});
    CHECK(report.cut->inputs == std::vector<std::string>{"x", "q"});
}

TEST_CASE("A dropout that keeps everything draws no numbers", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3}).ints("sizes", {2}, {2, 3}).floats("one", {}, {1});
    builder.node(
        "keep", "Placeholder", {},
        {{"dtype", attr::fromType(DType::Float)}, {"shape", attr::fromShape({{}, false})}});
    builder
        .node("drawn", "RandomUniform", {"sizes"},
              {{"dtype", attr::fromType(DType::Float)}, {"T", int32()}})
        .node("wide", "Mul", {"drawn", "one"})
        .node("moved", "Add", {"keep", "wide"})
        .node("mask", "Floor", {"moved"})
        .node("y", "Mul", {"x", "mask"});
    ExportPlan plan = planTo(ExportTarget::Onnx, {"x"}, {"y"});
    plan.interface.fixed = {{"keep", "1"}};
    const ExportReport all = exported(builder, plan);
    CHECK(all.operators == std::map<std::string, std::size_t>{{"Mul", 1}});
    CHECK(all.notes.empty());
    plan.interface.fixed = {{"keep", "0.5"}};
    const ExportReport half = exported(builder, plan);
    CHECK(half.operators.contains("RandomUniform"));
    REQUIRE(half.notes.size() == 1);
    CHECK(half.notes[0].find("random numbers") != std::string::npos);
}

TEST_CASE("A rounded value may be a sum of as many numbers as a file can hold", "[export]")
{
    constexpr int steps = 60'000; // too deep for a recursive walk
    GraphBuilder builder;
    builder.placeholder("x", {1}).floats("one", {}, {1});
    std::string last = "x";
    for (int i = 0; i < steps; ++i) {
        const std::string next = "a" + std::to_string(i);
        builder.node(next, i % 2 == 0 ? "Mul" : "Add", {last, "one"});
        last = next;
    }
    builder.node("y", "Floor", {last});
    GraphEntry entry;
    entry.graph = builder.build();
    const auto made =
        exportModel(entry.graph, planTo(ExportTarget::Onnx, {"x"}, {"y"}).interface, {}, Job());
    CHECK(made.ok());
}

TEST_CASE("Double precision is exported to ONNX where its runtime has it", "[export]")
{
    const TestAttrs wide{{"T", attr::fromType(DType::Double)}};
    GraphBuilder builder;
    builder
        .node(
            "x", "Placeholder", {},
            {{"dtype", attr::fromType(DType::Double)}, {"shape", attr::fromShape({{2, 3}, false})}})
        .node("y", "Tanh", {"x"}, wide)
        .node("z", "AddV2", {"y", "x"}, wide)
        .node("bent", "Elu", {"x"}, wide);
    const ExportReport onnx = exported(builder, planTo(ExportTarget::Onnx, {"x"}, {"z"}));
    REQUIRE(onnx.file);
    REQUIRE(onnx.check);
    CHECK(onnx.check->isSame());
    CHECK(onnx.outputs[0].dtype == DType::Double);
    const ExportReport elu = exported(builder, planTo(ExportTarget::Onnx, {"x"}, {"bent"}));
    REQUIRE(elu.refused.size() == 1);
    CHECK(elu.refused[0].node == "bent");
    CHECK(elu.refused[0].reason.find("double precision") != std::string::npos);
    const ExportReport tflite = exported(builder, planTo(ExportTarget::Tflite, {"x"}, {"z"}));
    CHECK_FALSE(tflite.file);
}

TEST_CASE("A constant of a type that no runtime computes with is refused by its node", "[export]")
{
    GraphBuilder builder;
    const auto constant =
        constNode("c", DType::Complex64, {{1}, false}, std::string(8, '\0')).finish();
    builder.node("c", "Const", {},
                 {{"dtype", attr::fromType(DType::Complex64)},
                  {"value", std::string(constant->attr("value").encoded())}});
    builder.floats("f", {2}, {1, 2});
    const ExportReport report = exported(builder, planTo(ExportTarget::Tflite, {}, {"c", "f"}));
    REQUIRE(report.refused.size() == 1);
    CHECK(report.refused[0].node == "c");
    CHECK(report.refused[0].reason.find("complex64") != std::string::npos);
    REQUIRE(report.cut);
    CHECK(report.cut->outputs == std::vector<std::string>{"f"});
}

} // namespace lapidary
