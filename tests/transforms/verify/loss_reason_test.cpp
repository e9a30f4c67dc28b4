// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/verify/loss_reason.h"

#include <cmath>

namespace lapidary {
namespace {

// A depthwise layer and a product.
GraphPtr layerGraph()
{
    const TestAttrs same{{"strides", attr::fromInts({1, 1, 1, 1})},
                         {"padding", attr::fromString("SAME")}};
    std::vector<float> values(16);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = float(std::sin(double(i)));
    return GraphBuilder()
        .placeholder("x", {1, 4, 4, 4})
        .floats("w", {2, 2, 4, 1}, values)
        .node("depthwise", "DepthwiseConv2dNative", {"x", "w"}, same)
        .floats("v", {1, 1, 4, 4}, values)
        .node("y", "Conv2D", {"depthwise", "v"}, same)
        .build();
}

GraphPtr after(const char* step, const GraphPtr& graph = layerGraph())
{
    return passed(step, graph, {"x"}, {"y"});
}

Verification losing(double decibels)
{
    Verification verification;
    verification.pairs.emplace_back();
    verification.pairs.back().isOutput = true;
    verification.pairs.back().isWithin = false;
    verification.pairs.back().agreement.sqnrDb = decibels;
    return verification;
}

} // namespace

TEST_CASE("the reason of a loss counts layers with one scale", "[verify]")
{
    constexpr const char* both =
        "per-tensor weights of 1 depthwise layer and 1 other: use arm-8bit-accurate";
    const GraphPtr weights = after("quantize_weights(minimum_size=16)");
    CHECK(lossReason(*weights, losing(3)) == both);
    CHECK(lossReason(*weights, losing(std::nan(""))) == both);
    CHECK(lossReason(*after("quantize_nodes", weights), losing(3)) == both);
    CHECK(lossReason(*after("quantize_weights(minimum_size=16, only_node=depthwise)"), losing(3)) ==
          "per-tensor weights of 1 depthwise layer: use "
          "arm-8bit-accurate");
    CHECK(lossReason(*after("quantize_weights(minimum_size=16, only_node=y)"), losing(3)) ==
          "per-tensor weights of 1 layer: use arm-8bit-accurate");
}

TEST_CASE("no reason is given if nothing is lost, or if weights are not the cause", "[verify]")
{
    const GraphPtr weights = after("quantize_weights(minimum_size=16)");
    CHECK(lossReason(*weights, losing(35)).empty());
    Verification inner = losing(3);
    inner.pairs.back().isOutput = false;
    CHECK(lossReason(*weights, inner).empty());
    CHECK(lossReason(*layerGraph(), losing(3)).empty());
    const GraphPtr accurate = after("quantize_weights(minimum_size=16, per_channel=true)");
    CHECK(lossReason(*accurate, losing(3)).empty());
    CHECK(lossReason(*after("quantize_nodes(accumulators=float)", accurate), losing(3)).empty());
}

} // namespace lapidary
