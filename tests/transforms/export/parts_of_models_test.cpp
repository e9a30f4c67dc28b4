// SPDX-License-Identifier: Apache-2.0
// Exporting the part of a model that can be exported, if the whole cannot.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/export_plan.h"
#include "transforms/verify/verify_graphs.h"

#include <algorithm>

namespace lapidary {
namespace {

ExportReport reported(const GraphBuilder& builder, ExportTarget target,
                      const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs)
{
    ExportPlan plan;
    plan.target = target;
    plan.interface.inputs = inputs;
    plan.interface.outputs = outputs;
    GraphEntry entry;
    entry.graph = builder.build();
    const auto report = runExport(entry.graph, plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    return *report;
}

} // namespace

TEST_CASE("Filters that fit into no number of groups are refused", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 4, 4, 3})
        .floats("w", {1, 1, 1, 2}, {1, 2})
        .node("y", "Conv2D", {"x", "w"},
              {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString("SAME")}});
    const ExportReport report = reported(builder, ExportTarget::Onnx, {"x"}, {"y"});
    CHECK_FALSE(report.file);
    REQUIRE(report.refused.size() == 1);
    CHECK(report.refused[0].reason.find("has 3 channels, and its 2 filters take 1") !=
          std::string::npos);
}

TEST_CASE("A sound file of unknown size does not hide what can be exported", "[export]")
{
    GraphBuilder builder;
    builder
        .node("wav", "Placeholder", {},
              {{"dtype", attr::fromType(DType::String)}, {"shape", attr::fromShape({{}, true})}})
        .node("sound", "DecodeWav", {"wav"},
              {{"desired_channels", attr::fromInt(1)}, {"desired_samples", attr::fromInt(8)}})
        .node("y", "Neg", {"sound"});
    const ExportReport report = reported(builder, ExportTarget::Tflite, {"wav"}, {"y"});
    CHECK_FALSE(report.file);
    REQUIRE(report.cut);
    CHECK(report.cut->inputs == std::vector<std::string>{"sound"});
    CHECK(report.cut->outputs == std::vector<std::string>{"y"});
}

TEST_CASE("Weights without values are not proposed as inputs", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .node("w", "VariableV2", {},
              {{"dtype", attr::fromType(DType::Float)}, {"shape", attr::fromShape({{2}, false})}})
        .node("y", "Mul", {"x", "w"})
        .node("z", "Neg", {"y"});
    const ExportReport report = reported(builder, ExportTarget::Tflite, {"x"}, {"z"});
    CHECK_FALSE(report.file);
    REQUIRE(report.refused.size() == 1);
    CHECK(report.refused[0].reason.find("freeze the graph first") != std::string::npos);
    CHECK_FALSE(report.cut);
}

TEST_CASE("A file of the middle of a model is compared with that", "[export][verify]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2}).node("a", "Neg", {"x"}).node("b", "Tanh", {"a"});
    builder.node("c", "Abs", {"b"});
    const ExportReport report = reported(builder, ExportTarget::Tflite, {"a"}, {"b"});
    REQUIRE(report.file);
    const auto file = readModelBytes(*report.file->bytes(), "exported", Job());
    REQUIRE(file);
    GraphEntry entry;
    entry.graph = builder.build();
    const auto check = verifyGraphs({entry, {}}, {file->graphs[0], {}}, VerifyPlan(), Job());
    INFO((check ? "" : check.error().message));
    REQUIRE(check);
    CHECK(check->isSame());
    CHECK(std::ranges::any_of(check->pairs, &VerifiedPair::isOutput));
}

} // namespace lapidary
