// SPDX-License-Identifier: Apache-2.0
// A single quantized op between QuantizeV2 and Dequantize; between two of them, the pair cancels
// out.
#include "tests/catch.h"
#include "tests/runner/kernels/quantized/coded.h"
#include "tests/runner/kernels/small_graph.h"

namespace lapidary {
namespace {

const NodeAttrs quantizeAttrs{{"T", attr::fromType(DType::QUInt8)},
                              {"mode", attr::fromString("MIN_FIRST")}};
const NodeAttrs dequantizeAttrs{{"T", attr::fromType(DType::QUInt8)},
                                {"mode", attr::fromString("MIN_FIRST")}};
const NodeAttrs onCodes{{"Tinput", attr::fromType(DType::QUInt8)},
                        {"out_type", attr::fromType(DType::QUInt8)}};

// Quantizes x in its own range, as NAME, NAME:1, NAME:2.
void addQuantized(SmallGraph& graph, const std::string& x, const std::string& name)
{
    const NodeAttrs reduces{{"T", attr::fromType(DType::Float)},
                            {"Tidx", attr::fromType(DType::Int32)}};
    graph.node(name + "/min", "Min", {x, "axes"}, reduces)
        .node(name + "/max", "Max", {x, "axes"}, reduces)
        .node(name, "QuantizeV2", {x, name + "/min", name + "/max"}, quantizeAttrs);
}

std::vector<std::string> outputsOf(const std::string& name)
{
    return {name, name + ":1", name + ":2"};
}

TEST_CASE("a quantized Relu agrees with Relu to half a step", "[quantized]")
{
    SmallGraph graph;
    graph.input("x", DType::Float).input("axes", DType::Int32);
    addQuantized(graph, "x", "codes");
    graph.node("relu", "QuantizedRelu", outputsOf("codes"), onCodes)
        .node("y", "Dequantize", outputsOf("relu"), dequantizeAttrs);
    const Value axes = valueOf<std::int32_t>({1}, {0});
    for (const auto& [first, step] : {std::pair(-10.0, 0.3), {-1.0, 0.01}, {0.0, 2.0}}) {
        const Value x = rampOf<float>({127}, first, step);
        const auto y = graph.run("y", {{"x", x}, {"axes", axes}});
        REQUIRE(y.ok());
        const auto reals = elementsOf<float>(*y);
        const auto given = elementsOf<float>(x);
        // Half a step for rounding x, and half a step for the shift that gives 0 a code.
        const double codeStep = 126.0 * step / 255.0;
        for (std::size_t i = 0; i < given.size(); ++i) {
            CAPTURE(first, given[i]);
            CHECK(reals[i] == Approx(std::max(given[i], 0.0F)).margin(codeStep * 1.01));
        }
        CHECK(reals[0] == Approx(0).margin(1e-6));
    }
}

TEST_CASE("Dequantize and QuantizeV2 of one range cancel", "[quantized]")
{
    const Value all = codedRamp({256});
    for (const auto& [min, max] : {std::pair(-10.0F, 20.0F),
                                   {0.0F, 6.0F},
                                   {-1.0F, 3.0F},
                                   {-0.1375F, 1.1385F},
                                   {-3.25F, 0.0F},
                                   {0.0F, 1e6F}}) {
        CAPTURE(min, max);
        const auto reals = runOne("Dequantize", withEnds({all}, {min, max}), dequantizeAttrs);
        REQUIRE(reals.ok());
        const auto codes = runCoded("QuantizeV2", withEnds({*reals}, {min, max}), quantizeAttrs);
        CHECK(codes.codes == codesOf(all));
        CHECK(codes.min == min);
        CHECK(codes.max == max);
    }
}

TEST_CASE("two quantized ops give the same without the pair between them", "[quantized]")
{
    SmallGraph graph;
    graph.input("x", DType::Float).input("axes", DType::Int32);
    addQuantized(graph, "x", "codes");
    graph.node("relu", "QuantizedRelu", outputsOf("codes"), onCodes)
        .node("reals", "Dequantize", outputsOf("relu"), dequantizeAttrs)
        .node("again", "QuantizeV2", {"reals", "relu:1", "relu:2"}, quantizeAttrs)
        .node("long", "QuantizedRelu6", outputsOf("again"), onCodes)
        .node("short", "QuantizedRelu6", outputsOf("relu"), onCodes);
    const Value axes = valueOf<std::int32_t>({2}, {0, 1});
    const auto y = graph.runAll({"long", "long:1", "long:2", "short", "short:1", "short:2"},
                                {{"x", rampOf<float>({13, 15}, -10, 0.2)}, {"axes", axes}});
    const std::string fault = y ? "" : y.error().message;
    REQUIRE(fault.empty());
    CHECK(codesOf((*y)[0]) == codesOf((*y)[3]));
    for (const std::size_t end : {1, 2})
        CHECK(elementsOf<float>((*y)[end]) == elementsOf<float>((*y)[end + 3]));
}

} // namespace
} // namespace lapidary
