// SPDX-License-Identifier: Apache-2.0
// quantize_nodes(accumulators=float)
#include "tests/catch.h"
#include "tests/transforms/passes/layered_graphs.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {
namespace {

constexpr const char* floatSums = "quantize_nodes(accumulators=float)";

GraphPtr layer(const char* op, const TestAttrs& attrs)
{
    const bool isProduct = std::string_view(op) == "MatMul";
    Floats weights(72);
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = float(i * 7 % 17) / 17 - 0.4F;
    GraphBuilder builder;
    builder.placeholder("x", isProduct ? Dims{3, 18} : Dims{1, 5, 5, 2})
        .floats("w", isProduct ? Dims{18, 4} : Dims{3, 3, 2, 4}, weights)
        .node("conv", op, {"x", "w"}, attrs)
        .floats("b", {std::string_view(op)[0] == 'D' ? 8 : 4}, {0.25F, 0.5F})
        .node("sum", "BiasAdd", {"conv", "b"})
        .node("y", "Relu6", {"sum"});
    return builder.build();
}

GraphPtr withWeights(const GraphPtr& graph, const char* form)
{
    return passed("quantize_weights(minimum_size=64, " + std::string(form) + ")", graph, {"x"},
                  {"y"});
}

std::string whyNot(const GraphPtr& graph)
{
    Parameters parameters;
    parameters.add("accumulators", "float");
    const auto findings =
        findPass("quantize_nodes")->find(graph, {{"x"}, {"y"}, parameters}, Job());
    REQUIRE(findings.ok());
    for (const Finding& finding : *findings)
        if (!finding.why.empty())
            return finding.why;
    return "";
}

} // namespace

TEST_CASE("sums stay in float, and only inputs are rounded", "[passes][accumulators]")
{
    for (const char* op : {"Conv2D", "MatMul"}) {
        const TestAttrs attrs = std::string_view(op) == "MatMul" ? TestAttrs() : same;
        for (const char* form : {"per_channel=false", "per_channel=true"}) {
            INFO(op << " " << form);
            const GraphPtr before = withWeights(layer(op, attrs), form);
            const GraphPtr after = passed(floatSums, before, {"x"}, {"y"});
            CHECK(countOps(after, op) == 0);
            CHECK(countOps(after, "Requantize") == 0);
            CHECK(opOf(after, "y") == "Relu6");
            const bool isScaled = opOf(before, "w") == "Mul";
            CHECK(opOf(after, "conv") == (isScaled ? "Mul" : "Dequantize"));
            CHECK(inputsOf(after, "conv") ==
                  (isScaled ? "conv/unscaled, w_scale"
                            : "conv/eightbit:0, conv/eightbit:1, conv/eightbit:2"));
            CHECK(computesOther(before, after, {"y"}, 0.01) == "");
            CHECK(passed(floatSums, after, {"x"}, {"y"}) == after);
        }
    }
}

TEST_CASE("a network with float sums is near the one with 8-bit weights", "[passes][accumulators]")
{
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
        INFO("seed " << seed);
        const GraphPtr float32 = passed("equalize_layers", randomLayers(seed), {"x"}, {"y"});
        const GraphPtr before = passed("quantize_weights(minimum_size=1, per_channel=true, "
                                       "ignore_op=BiasAdd, ignore_op=AddV2, ignore_op=Minimum)",
                                       float32, {"x"}, {"y"});
        const GraphPtr after = passed(floatSums, before, {"x"}, {"y"});
        CHECK(countOps(after, "QuantizedConv2D") > 0);
        CHECK(computesOther(before, after, {"y"}, 0.05) == "");
    }
}

TEST_CASE("near misses of float sums name the condition", "[passes][accumulators]")
{
    CHECK(whyNot(layer("Conv2D", same)) ==
          "its weights are not 8-bit: run quantize_weights first, or lower minimum_size");
    CHECK(whyNot(withWeights(layer("Conv2D", same), "small_bits=16")) ==
          "its weights are not 8-bit: run quantize_weights first, or lower minimum_size");
    CHECK(whyNot(withWeights(layer("DepthwiseConv2dNative", same), "per_channel=true")) ==
          "it has no 8-bit op: it stays in float with 8-bit weights");
    TestAttrs dilated = same;
    dilated.emplace_back("dilations", attr::fromInts({1, 2, 2, 1}));
    CHECK(whyNot(withWeights(layer("Conv2D", dilated), "per_channel=true")) == "it is dilated");
    const GraphPtr before = withWeights(layer("Conv2D", same), "per_channel=true");
    CHECK(passed("quantize_nodes(accumulators=float, ignore_node=\"con?\")", before, {"x"},
                 {"y"}) == before);
    for (const char* wrong : {"accumulators=double", "accumulators=float, input_min=0"}) {
        INFO(wrong);
        CHECK_FALSE(
            applyPass("quantize_nodes(" + std::string(wrong) + ")", before, {"x"}, {"y"}).ok());
    }
}

} // namespace lapidary
