// SPDX-License-Identifier: Apache-2.0
// Every op that the exporter refuses by name is refused with the text of its row.
#include "graph_model/ops/op_registry.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/export_plan.h"
#include "transforms/export/lower/op_reasons.h"

#include <algorithm>

namespace lapidary {
namespace {

using Dims = std::vector<std::int64_t>;

// Returns the attributes that a node of the op requires, with values that the op allows.
TestAttrs requiredAttrs(const OpSpec& spec)
{
    TestAttrs attrs;
    for (const AttrSpec& wanted : spec.attrs) {
        if (wanted.hasDefault)
            continue;
        const std::string name(wanted.name);
        const std::int64_t number = std::max<std::int64_t>(1, wanted.minimum);
        const bool takesFloat =
            wanted.allowedText.empty() || wanted.allowedText.find("DT_FLOAT") != std::string::npos;
        if (wanted.kind == "type" && !takesFloat)
            attrs.emplace_back(name, attr::fromType(DType::Int32));
        else if (wanted.kind == "int")
            attrs.emplace_back(name, attr::fromInt(number));
        else if (wanted.kind == "list(int)")
            attrs.emplace_back(name, attr::fromInts({number}));
        else if (wanted.kind == "float")
            attrs.emplace_back(name, attr::fromFloat(1));
        else if (wanted.kind == "bool")
            attrs.emplace_back(name, attr::fromBool(false));
        else if (wanted.kind == "string")
            attrs.emplace_back(name, attr::fromString("SAME"));
    }
    return attrs;
}

DType typeOf(const OpSpec& spec, const ArgSpec& input)
{
    if (input.typeAttr.empty())
        return input.dtype;
    const auto wanted = std::ranges::find(spec.attrs, input.typeAttr, &AttrSpec::name);
    REQUIRE(wanted != spec.attrs.end());
    const bool takesFloat =
        wanted->allowedText.empty() || wanted->allowedText.find("DT_FLOAT") != std::string::npos;
    return takesFloat ? DType::Float : DType::Int32;
}

void addInput(GraphBuilder& builder, const std::string& name, DType dtype, const Dims& dims)
{
    builder.node(name, "Placeholder", {},
                 {{"dtype", attr::fromType(dtype)}, {"shape", attr::fromShape({dims, false})}});
}

// These read tables or lists of any length, which no placeholder can replace.
bool isFeedable(std::string_view op)
{
    return op.find("Table") == std::string::npos && !op.starts_with("Parse");
}

// Exports only a node of the op.
Result<ExportReport> refusedWith(const OpSpec& spec, const std::vector<Dims>& shapes)
{
    GraphBuilder builder;
    ExportPlan plan;
    for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
        plan.interface.inputs.push_back("x" + std::to_string(i));
        addInput(builder, plan.interface.inputs.back(), typeOf(spec, spec.inputs[i]), shapes[i]);
        plan.interface.shapes.emplace_back(plan.interface.inputs.back(), Shape{shapes[i], false});
    }
    plan.interface.outputs = {"y"};
    builder.node("y", std::string(spec.name), plan.interface.inputs, requiredAttrs(spec));
    return runExport(builder.build(), plan, Job());
}

// The inputs have the first ranks that the op accepts; each size is 2 unless another one is
// required.
Result<ExportReport> refusedAlone(const OpSpec& spec)
{
    Result<ExportReport> report = Error{ErrorCode::InvalidArgument, "no rank was tried"};
    constexpr std::size_t ranks = 5;
    std::size_t tries = 1;
    for (std::size_t i = 0; i < spec.inputs.size(); ++i)
        tries *= ranks;
    for (std::size_t number = 0; number < tries && !report; ++number) {
        std::vector<Dims> shapes;
        std::size_t left = number;
        for (std::size_t i = 0; i < spec.inputs.size(); ++i, left /= ranks)
            shapes.emplace_back(left % ranks, 2);
        report = refusedWith(spec, shapes);
    }
    return report;
}
} // namespace

TEST_CASE("every op that is refused by name is refused with its text", "[export][rows]")
{
    for (const RefusedOp& refused : refusedOps()) {
        INFO(refused.op);
        const OpSpec* spec = findOp(refused.op);
        const std::string reason = "it " + std::string(refused.reason);
        CHECK(reasonAgainst(*newNode("y", std::string(refused.op), {}).finish()) == reason);
        if (!isFeedable(refused.op))
            continue;
        REQUIRE(spec != nullptr);
        const auto report = refusedAlone(*spec);
        INFO((report ? "" : report.error().message));
        CHECK(report.ok());
        if (!report)
            continue;
        CHECK_FALSE(report->file);
        const auto found = std::ranges::find(report->refused, "y", &ExportRefusal::node);
        REQUIRE(found != report->refused.end());
        CHECK(found->op == refused.op);
        CHECK(found->reason == reason);
    }
}

TEST_CASE("a file that computes on codes, or has unknown operators, is refused with advice",
          "[export][rows]")
{
    const auto reason = [](const char* op) {
        return reasonAgainst(*newNode("y", op, {}).finish());
    };
    CHECK(reason("_Tflite_CONV_2D").find("export the float model") != std::string::npos);
    CHECK(reason("ONNX.DeformConv").find("choose its outputs as inputs") != std::string::npos);
    CHECK(reason("TFLite.DENSIFY").find("choose its outputs as inputs") != std::string::npos);
}

TEST_CASE("an op that is not exported is not said to have no counterpart", "[export][rows]")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 2, 2, 2, 1})
        .node("y", "MaxPool3D", {"x"},
              {{"strides", attr::fromInts({1, 1, 1, 1, 1})},
               {"ksize", attr::fromInts({1, 1, 1, 1, 1})},
               {"padding", attr::fromString("VALID")}});
    ExportPlan plan;
    plan.interface.inputs = {"x"};
    plan.interface.outputs = {"y"};
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        plan.target = target;
        const auto report = runExport(builder.build(), plan, Job());
        REQUIRE(report);
        REQUIRE(report->refused.size() == 1); // ONNX has 3-D pools
        CHECK(report->refused[0].reason.find("not among the ops that are exported") !=
              std::string::npos);
    }
}

// The sizes are known, but their product does not fit into 64 bits.
TEST_CASE("a tensor larger than any memory is refused", "[export][rows]")
{
    GraphBuilder builder;
    ExportPlan plan;
    const std::int64_t wide = std::int64_t(1) << 30;
    const std::vector<Dims> shapes{{wide, 1, 1}, {1, wide, 1}, {1, 1, wide}};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        plan.interface.inputs.push_back("x" + std::to_string(i));
        builder.placeholder(plan.interface.inputs.back(), shapes[i]);
    }
    const TestAttrs isFloat{{"T", attr::fromType(DType::Float)}};
    builder.node("sum", "Add", {"x0", "x1"}, isFloat)
        .node("all", "Add", {"sum", "x2"}, isFloat)
        .node("y", "ZerosLike", {"all"}, isFloat);
    plan.interface.outputs = {"y"};
    const auto report = runExport(builder.build(), plan, Job());
    REQUIRE(report.ok());
    REQUIRE_FALSE(report->refused.empty());
    CHECK(report->refused.front().node == "all");
    CHECK(report->refused.front().reason.find("is larger than any memory") != std::string::npos);
}

} // namespace lapidary
