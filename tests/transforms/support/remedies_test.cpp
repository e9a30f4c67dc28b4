// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "transforms/support/remedies.h"

namespace lapidary {
namespace {

const OpSupport& table()
{
    static const OpSupport all;
    return all;
}

SupportReport reportOf(const GraphPtr& graph, const Strings& inputs, const Strings& outputs,
                       const char* target)
{
    const auto report = checkSupport(*graph, inputs, outputs, table(), *findTarget(target), Job());
    REQUIRE(report.ok());
    return *report;
}

RemedyPlan planOf(const GraphPtr& graph, const Strings& inputs, const Strings& outputs,
                  const char* target)
{
    const auto plan = planRemedies(graph, inputs, outputs, table(), *findTarget(target), Job());
    REQUIRE(plan.ok());
    return *plan;
}

// x -> Slice of int64 -> y, with a summary that no output needs.
GraphPtr slicing()
{
    GraphBuilder builder;
    builder
        .node("x", "Placeholder", {},
              {{"dtype", attr::fromType(DType::Int64)}, {"shape", attr::fromShape({{4}, false})}})
        .ints("begin", {1}, {1})
        .ints("size", {1}, {2})
        .node("y", "Slice", {"x", "begin", "size"},
              {{"T", attr::fromType(DType::Int64)}, {"Index", attr::fromType(DType::Int32)}})
        .floats("f", {1}, {0.5F})
        .node("loss", "L2Loss", {"f"});
    return builder.build();
}

} // namespace

TEST_CASE("both answers are given: as it is, and between inputs and outputs", "[support]")
{
    const SupportReport report = reportOf(slicing(), {"x"}, {"y"}, "android_full");
    CHECK(report.whole.nodes == 6);
    CHECK(report.whole.missing == 2);
    CHECK(report.needed.nodes == 4);
    CHECK(report.needed.missing == 1);
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].op == "L2Loss");
    CHECK(report.findings[0].needed == 0);
    CHECK(report.findings[1].types == "T=int64, Index=int32");
    CHECK(report.findings[1].why == "its kernels there are for T: float int32 bool");
    // A converter omits nodes that no output needs.
    CHECK(report.blocking(*findTarget("android_full")) == 2);
    CHECK(report.blocking(*findTarget("tflite_toco_1_15")) == 1);
}

TEST_CASE("each remedy is tried, one after the other, until nothing is missing", "[support]")
{
    const GraphPtr before = slicing();
    const RemedyPlan plan = planOf(before, {"x"}, {"y"}, "android_full");
    REQUIRE(plan.remedies.size() == 2);
    CHECK(plan.remedies[0].text == "strip_unused");
    CHECK(plan.remedies[0].before == 2);
    CHECK(plan.remedies[0].after == 1);
    CHECK(plan.remedies[1].text == "run_in_type(op=Slice, from=int64, to=int32, attr=T)");
    CHECK(plan.remedies[1].after == 0);
    CHECK(plan.left == 0);
    CHECK(reportOf(plan.graph, plan.inputs, {"y"}, "android_full").whole.missing == 0);
    CHECK(computesOther(before, plan.graph, {"y"}) == "");
}

TEST_CASE("a picture that is decoded is fed instead", "[support]")
{
    GraphBuilder builder;
    builder.node("file", "Placeholder", {}, {{"dtype", attr::fromType(DType::String)}})
        .node("jpeg", "DecodeJpeg", {"file"})
        .node("image", "Cast", {"jpeg"},
              {{"SrcT", attr::fromType(DType::UInt8)}, {"DstT", attr::fromType(DType::Float)}})
        .node("y", "Relu", {"image"});
    const RemedyPlan plan = planOf(builder.build(), {"file"}, {"y"}, "ios_makefile_default");
    REQUIRE_FALSE(plan.remedies.empty());
    CHECK(plan.remedies[0].inputs == Strings{"jpeg"});
    CHECK(plan.left == 0);
    CHECK(opOf(plan.graph, "jpeg") == "Placeholder");
    CHECK(nodeOf(plan.graph, "jpeg").attr("dtype").asType() == DType::UInt8);
}

TEST_CASE("if no pass helps, the missing source file is named", "[support]")
{
    GraphBuilder builder;
    builder.placeholder("x", {3})
        .ints("axis", {}, {0})
        .node("y", "Cumsum", {"x", "axis"}, {{"Tidx", attr::fromType(DType::Int32)}});
    const RemedyPlan phone = planOf(builder.build(), {"x"}, {"y"}, "android_full");
    CHECK(phone.left == 1);
    REQUIRE(phone.remedies.size() == 1);
    CHECK(phone.remedies[0].kind == Remedy::Kind::Source);
    CHECK(phone.remedies[0].text == "add scan_ops.cc to android_extended_ops_group1 or 2");
    CHECK(phone.remedies[0].after == 0);
    const RemedyPlan board = planOf(builder.build(), {"x"}, {"y"}, "pi_makefile_default");
    REQUIRE_FALSE(board.remedies.empty());
    CHECK(board.remedies[0].text == "add scan_ops.cc to tf_op_files.txt");
}

TEST_CASE("another build is offered where its types fit", "[support]")
{
    GraphBuilder builder;
    builder.node("x", "Placeholder", {}, {{"dtype", attr::fromType(DType::String)}})
        .ints("begin", {1}, {0})
        .ints("size", {1}, {1})
        .node("y", "Slice", {"x", "begin", "size"},
              {{"T", attr::fromType(DType::String)}, {"Index", attr::fromType(DType::Int32)}});
    const RemedyPlan plan = planOf(builder.build(), {"x"}, {"y"}, "android_full");
    REQUIRE_FALSE(plan.remedies.empty());
    CHECK(plan.remedies[0].kind == Remedy::Kind::Build);
    CHECK(plan.remedies[0].text.starts_with("build for android_full_typesfull"));
    CHECK(plan.remedies[0].after == 0);
}

TEST_CASE("variables are said to need freezing, which was not tried", "[support]")
{
    GraphBuilder builder;
    builder
        .node("v", "VarHandleOp", {},
              {{"dtype", attr::fromType(DType::Float)}, {"shape", attr::fromShape({{2}, false})}})
        .node("y", "ReadVariableOp", {"v"}, {{"dtype", attr::fromType(DType::Float)}});
    const RemedyPlan plan = planOf(builder.build(), {}, {"y"}, "android_full");
    REQUIRE_FALSE(plan.remedies.empty());
    CHECK(plan.remedies[0].kind == Remedy::Kind::Freeze);
    CHECK_FALSE(plan.remedies[0].after);
}

} // namespace lapidary
