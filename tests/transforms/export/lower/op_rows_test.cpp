// SPDX-License-Identifier: Apache-2.0
// Every row of the exporter's table of ops: an op is exported, read back and run, or refused with
// the text of the row.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/transforms/export/lower/op_cases.h"
#include "transforms/export/export_plan.h"
#include "transforms/export/lower/lowering.h"
#include "transforms/export/lower/op_reasons.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

struct BuiltCase {
    GraphEntry entry;
    ExportPlan plan;
};

BuiltCase built(std::string_view op, ExportTarget target)
{
    const OpCase wanted = caseOf(op);
    GraphBuilder builder;
    builder.placeholder("x", wanted.x);
    addOthers(builder, wanted.x);
    if (wanted.beside)
        wanted.beside(builder);
    builder.node("y", std::string(op), wanted.inputs, wanted.attrs);
    if (!wanted.behind.empty())
        builder.node("z", wanted.behind, {"y", "y"});
    BuiltCase made;
    made.entry.graph = builder.build();
    made.plan.target = target;
    const auto reads = [&](std::initializer_list<const char*> names) {
        return std::ranges::any_of(names, [&](const char* name) {
            return std::ranges::find(wanted.inputs, name) != wanted.inputs.end();
        });
    };
    if (reads({"x", "p", "q", "n", "largest", "boxes", "places", "number", "squares", "top:1",
               "codes"}))
        made.plan.interface.inputs.emplace_back("x");
    if (reads({"b", "p", "q"}))
        made.plan.interface.inputs.emplace_back("b");
    made.plan.interface.outputs = {wanted.behind.empty() ? "y" : "z"};
    return made;
}

// Returns what one target cannot express although the other one can, with a part of the text.
std::optional<std::string_view> refusal(std::string_view op, ExportTarget target)
{
    if ((op == "Erf" || op == "Erfc") && target == ExportTarget::Tflite)
        return "TFLite";
    if (op == "TFLite_Detection_PostProcess" && target == ExportTarget::Onnx)
        return "ONNX has none";
    if (op.starts_with("_Tflite_") && target == ExportTarget::Tflite)
        return "to ONNX without ranges";
    return std::nullopt;
}

// Requires that it was written and read back, and that it computes the same.
void checkSame(const ExportReport& report)
{
    INFO((report.refused.empty() ? "" : report.refused[0].reason));
    REQUIRE(report.file);
    INFO((report.notes.empty() ? "" : report.notes.back()));
    REQUIRE(report.check);
    INFO((report.check->incomparable.empty() ? "" : report.check->incomparable[0]));
    INFO((report.check->missing.empty() ? "" : report.check->missing[0].op));
    CHECK(report.check->missing.empty());
    CHECK(report.check->isSame());
    CHECK(std::ranges::any_of(report.check->pairs, &VerifiedPair::isOutput));
}

void checkRow(std::string_view op, ExportTarget target)
{
    INFO(op << " to " << exportTargetName(target));
    const BuiltCase made = built(op, target);
    const auto report = runCheckedExport(made.entry, {}, made.plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    if (const auto text = refusal(op, target)) {
        REQUIRE(report->refused.size() == 1);
        CHECK(report->refused[0].node == "y");
        CHECK(report->refused[0].op ==
              (op == "Erfc" ? "Erf" : op)); // the op as which it is lowered
        INFO(report->refused[0].reason);
        CHECK(report->refused[0].reason.find(*text) != std::string::npos);
        CHECK_FALSE(report->file);
        return;
    }
    checkSame(*report);
}

// The export from the inputs to "y" computes the same.
void checkExport(const GraphBuilder& builder, std::vector<std::string> inputs, ExportTarget target)
{
    GraphEntry entry;
    entry.graph = builder.build();
    ExportPlan plan;
    plan.target = target;
    plan.interface.inputs = std::move(inputs);
    plan.interface.outputs = {"y"};
    const auto report = runCheckedExport(entry, {}, plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    checkSame(*report);
}

} // namespace

TEST_CASE("every op of the table is exported, read back and computes the same", "[export][rows]")
{
    for (const LowerRow& row : allLowerRows())
        for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx})
            checkRow(row.op, target);
}

TEST_CASE("convolutions of volumes keep what they read of the borders", "[export][rows]")
{
    for (const char* padding : {"SAME", "VALID"})
        for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
            GraphBuilder builder;
            builder.placeholder("x", {2, 5, 6, 7, 2})
                .floats("w", {3, 2, 3, 2, 4}, {0.5F, -0.25F, 1, 0.75F, -1.5F})
                .floats("b", {4}, {1, 2, 3, -4})
                .node("conv", "Conv3D", {"x", "w"},
                      {{"strides", attr::fromInts({1, 1, 3, 2, 1})},
                       {"padding", attr::fromString(padding)}})
                .node("biased", "BiasAdd", {"conv", "b"})
                .node("y", "Relu", {"biased"});
            checkExport(builder, {"x"}, target);
        }
}

TEST_CASE("weights of convolutions may be computed", "[export][rows]")
{
    const auto check = [](const char* op, std::vector<std::int64_t> weights,
                          std::vector<std::string> inputs, ExportTarget target) {
        INFO(op << " to " << exportTargetName(target));
        GraphBuilder builder;
        builder.placeholder("x", {1, 4, 4, 2})
            .placeholder("fed", std::move(weights))
            .ints("sizes", {4}, {1, 8, 8, 3})
            .node("w", "Tanh", {"fed"})
            .node(
                "y", op, std::move(inputs),
                {{"strides", attr::fromInts({1, 2, 2, 1})}, {"padding", attr::fromString("SAME")}});
        checkExport(builder, {"x", "fed"}, target);
    };
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        check("Conv2D", {3, 3, 2, 4}, {"x", "w"}, target);
        check("DepthwiseConv2dNative", {3, 3, 2, 2}, {"x", "w"}, target);
        check("Conv2DBackpropInput", {2, 2, 3, 2}, {"sizes", "w", "x"}, target);
    }
}

TEST_CASE("mirrors may begin with the edge itself", "[export][rows]")
{
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        INFO("to " << exportTargetName(target));
        GraphBuilder builder;
        builder.placeholder("x", {2, 3, 4, 2})
            .ints("pads", {4, 2}, {0, 0, 2, 3, 1, 0, 0, 0})
            .node("y", "MirrorPad", {"x", "pads"}, {{"mode", attr::fromString("SYMMETRIC")}});
        checkExport(builder, {"x"}, target);
    }
}

TEST_CASE("a branch that is never taken may contradict itself", "[export][rows]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3});
    builder.node("rank", "Rank", {"x"}).ints("two", {}, {2});
    builder.node("is_flat", "Equal", {"rank", "two"}, {{"T", attr::fromType(DType::Int32)}});
    builder.node("switch", "Switch", {"x", "is_flat"});
    builder.node("thin", "Squeeze", {"switch"}, {{"squeeze_dims", attr::fromInts({1})}});
    builder.node("kept", "Exp", {"switch:1"});
    builder.node("y", "Merge", {"thin", "kept"}, {{"N", attr::fromInt(2)}});
    GraphEntry entry;
    entry.graph = builder.build();
    ExportPlan plan;
    plan.target = ExportTarget::Onnx;
    plan.interface.inputs = {"x"};
    plan.interface.outputs = {"y"};
    const auto report = runExport(entry.graph, plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    REQUIRE(report->file);
    CHECK(report->operators.at("Exp") == 1);
    // One that is taken is told.
    GraphBuilder wrong;
    wrong.placeholder("x", {2, 3});
    wrong.node("y", "Squeeze", {"x"}, {{"squeeze_dims", attr::fromInts({1})}});
    const auto refused = runExport(wrong.build(), plan, Job());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("y: ") != std::string::npos);
}

TEST_CASE("one condition may tell the sizes that the next one asks for", "[export][rows]")
{
    // A constant 64-bit number decides which of two operators is written.
    GraphBuilder builder;
    builder.placeholder("x", {2, 1, 3}).ints("axis", {1}, {1}).ints("two", {}, {2});
    builder.node(
        "rate", "Placeholder", {},
        {{"dtype", attr::fromType(DType::Int64)}, {"shape", attr::fromShape({{}, false})}});
    const TestAttrs longs{{"T", attr::fromType(DType::Int64)}};
    builder.node("is_fast", "Equal", {"rate", "rate"}, longs);
    builder.node("first", "Switch", {"x", "is_fast"});
    builder.node("thin", "Squeeze", {"first:1"}, {{"squeeze_dims", attr::fromInts({1})}});
    builder.node("merged", "Merge", {"first", "thin"}, {{"N", attr::fromInt(2)}});
    builder.node("rank", "Rank", {"merged"});
    builder.node("is_flat", "Equal", {"rank", "two"}, {{"T", attr::fromType(DType::Int32)}});
    builder.node("second", "Switch", {"merged", "is_flat"});
    builder.node("sum", "Sum", {"second", "axis"});
    builder.node("y", "Merge", {"sum", "second:1"}, {{"N", attr::fromInt(2)}});
    ExportPlan plan;
    plan.interface.inputs = {"x"};
    plan.interface.outputs = {"y"};
    plan.interface.fixed = {{"rate", "16000"}};
    const auto report = runExport(builder.build(), plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    REQUIRE(report->file);
    REQUIRE(report->outputs.size() == 1);
    CHECK(report->outputs[0].dims == std::vector<std::int64_t>{2, 3});
    CHECK_FALSE(report->operators.contains("SUM"));
}

TEST_CASE("the sample rate that Mfcc reads is asked for", "[export][rows]")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 2, 33});
    builder.node(
        "wav", "Placeholder", {},
        {{"dtype", attr::fromType(DType::Int32)}, {"shape", attr::fromShape({{}, false})}});
    builder.node("rate", "Identity", {"wav"}, {{"T", attr::fromType(DType::Int32)}});
    builder.node("y", "Mfcc", {"x", "rate"});
    ExportPlan plan;
    plan.interface.inputs = {"x", "wav"};
    plan.interface.outputs = {"y"};
    plan.interface.shapes.emplace_back("wav", Shape{{}, false});
    const auto asked = runExport(builder.build(), plan, Job());
    INFO((asked ? "" : asked.error().message));
    REQUIRE(asked);
    REQUIRE(asked->refused.size() == 1);
    CHECK(asked->refused[0].reason.find("to a constant") != std::string::npos);
    plan.interface.inputs = {"x"};
    plan.interface.fixed = {{"rate", "16000"}};
    const auto told = runExport(builder.build(), plan, Job());
    REQUIRE(told);
    CHECK(told->file);
}

TEST_CASE("names that TensorFlow refuses are exported", "[export][rows]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3}).floats("_w@0", {3}, {0.5F, -2, 1});
    builder.node("_part@1", "Mul", {"x", "_w@0"}).node("y", "Exp", {"_part@1"});
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        INFO("to " << exportTargetName(target));
        checkExport(builder, {"x"}, target);
    }
}

TEST_CASE("names of any bytes are written as text", "[export][rows]")
{
    GraphBuilder builder;
    builder.placeholder("x\xff", {2, 3}).floats("w\xfe", {3}, {0.5F, -2, 1});
    builder.node("w\xff", "Mul", {"x\xff", "w\xfe"}).node("y", "Exp", {"w\xff"});
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        INFO("to " << exportTargetName(target));
        ExportPlan plan;
        plan.target = target;
        plan.interface.inputs = {"x\xff"};
        plan.interface.outputs = {"y"};
        const auto report = runExport(builder.build(), plan, Job());
        INFO((report ? "" : report.error().message));
        REQUIRE(report);
        REQUIRE(report->file);
        CHECK(report->inputs.at(0).name == "x_");
        const std::string bytes = *report->file->bytes();
        CHECK(bytes.find("w\xfe") == std::string::npos);
        CHECK(bytes.find("w\xff") == std::string::npos);
        CHECK(bytes.find("w__") != std::string::npos);
    }
}

TEST_CASE("a file of one format is exported to the other one", "[export][rows]")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 4, 4, 2}).floats("w", {3, 3, 2, 4}, {0.5F, -0.25F, 1, 0.75F});
    builder.node(
        "conv", "Conv2D", {"x", "w"},
        {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString("SAME")}});
    builder.node("y", "Softmax", {"conv"});
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        INFO("first to " << exportTargetName(target));
        ExportPlan plan;
        plan.target = target;
        plan.interface.inputs = {"x"};
        plan.interface.outputs = {"y"};
        const auto first = runExport(builder.build(), plan, Job());
        REQUIRE(first);
        REQUIRE(first->file);
        const auto file = readModelBytes(*first->file->bytes(), "exported", Job());
        REQUIRE(file);
        plan.target = target == ExportTarget::Onnx ? ExportTarget::Tflite : ExportTarget::Onnx;
        const auto second = runCheckedExport(file->graphs[0], {}, plan, Job());
        INFO((second ? "" : second.error().message));
        REQUIRE(second);
        checkSame(*second);
    }
}

} // namespace lapidary
