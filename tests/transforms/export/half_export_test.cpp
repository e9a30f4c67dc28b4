// SPDX-License-Identifier: Apache-2.0
// Graphs that compute with half precision.
#include "graph_model/tensor/narrow_float.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/export_plan.h"

#include <algorithm>

namespace lapidary {
namespace {

TestAttrs attrsOfHalves(const std::vector<std::int64_t>& dims, const std::vector<float>& values)
{
    std::string bytes;
    for (const float value : values) {
        const Half half(value);
        bytes.append(reinterpret_cast<const char*>(&half), sizeof half);
    }
    return constNode("made", DType::Half, {dims, false}, bytes).attrs;
}

TestAttrs half()
{
    return {{"T", attr::fromType(DType::Half)}};
}

// A layer of halves on [2, 3]; its mean is computed in float.
GraphBuilder layerOfHalves()
{
    GraphBuilder builder;
    builder
        .node("x", "Placeholder", {},
              {{"dtype", attr::fromType(DType::Half)}, {"shape", attr::fromShape({{2, 3}, false})}})
        .node("w", "Const", {}, attrsOfHalves({3, 2}, {1, -2, 0.5F, 4, 0.25F, 2}))
        .node("one", "Const", {}, attrsOfHalves({2}, {1, 1}))
        .node("product", "MatMul", {"x", "w"}, half())
        .node("sum", "BiasAdd", {"product", "one"}, half())
        .node("wide", "Cast", {"sum"},
              {{"SrcT", attr::fromType(DType::Half)}, {"DstT", attr::fromType(DType::Float)}})
        .node("doubled", "Add", {"wide", "wide"})
        .node("narrow", "Cast", {"doubled"},
              {{"SrcT", attr::fromType(DType::Float)}, {"DstT", attr::fromType(DType::Half)}})
        .node("y", "Relu", {"narrow"}, half());
    return builder;
}

ExportReport exported(const GraphBuilder& builder, ExportTarget target,
                      const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs)
{
    ExportPlan plan;
    plan.target = target;
    plan.interface.inputs = inputs;
    plan.interface.outputs = outputs;
    GraphEntry entry;
    entry.graph = builder.build();
    const auto report = runCheckedExport(entry, {}, plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    return *report;
}

int outputsWithin(const Verification& check, double share)
{
    return int(std::ranges::count_if(check.pairs, [&](const VerifiedPair& pair) {
        return pair.isOutput && pair.agreement.isWithin(0, share);
    }));
}

} // namespace

TEST_CASE("Halves are computed as floats, and stay the ends of an ONNX file", "[export][half]")
{
    for (const ExportTarget target : {ExportTarget::Onnx, ExportTarget::Tflite}) {
        const ExportReport report = exported(layerOfHalves(), target, {"x"}, {"y", "x"});
        INFO((report.refused.empty() ? "" : report.refused[0].reason));
        REQUIRE(report.file);
        const DType ends = target == ExportTarget::Onnx ? DType::Half : DType::Float;
        REQUIRE(report.inputs.size() == 1);
        CHECK(report.inputs[0].dtype == ends);
        CHECK(report.inputs[0].name == "x");
        REQUIRE(report.outputs.size() == 2);
        CHECK(report.outputs[0].dtype == ends);
        CHECK(report.outputs[0].name == "y");
        REQUIRE(report.check);
        CHECK(report.check->missing.empty());
        CHECK(outputsWithin(*report.check, 1e-3) == 2); // halves have a precision of 11 bits
    }
}

TEST_CASE("The bits of halves are not those of floats", "[export][half]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .node("halves", "Const", {}, attrsOfHalves({2}, {1, -2}))
        .node("bits", "Bitcast", {"halves"},
              {{"T", attr::fromType(DType::Half)}, {"type", attr::fromType(DType::Int16)}})
        .node("numbers", "Cast", {"bits"},
              {{"SrcT", attr::fromType(DType::Int16)}, {"DstT", attr::fromType(DType::Float)}})
        .node("y", "Add", {"x", "numbers"});
    const ExportReport report = exported(builder, ExportTarget::Onnx, {"x"}, {"y"});
    REQUIRE(report.file);
    REQUIRE(report.check);
    CHECK(report.check->isSame());
}

} // namespace lapidary
