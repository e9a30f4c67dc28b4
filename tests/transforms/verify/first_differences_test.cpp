// SPDX-License-Identifier: Apache-2.0
// Generated networks are folded, quantized, equalized and damaged in every layer: verification must
// name the tensor at the damage.
#include "graph_model/graph/attr_value.h"
#include "tests/catch.h"
#include "tests/transforms/verify/verify_testing.h"
#include "transforms/verify/first_differences.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr int layers = 4;
constexpr std::int64_t channels = 4;

std::string layer(int i, const std::string& part)
{
    return "l" + std::to_string(i) + "/" + part;
}

// x -> (Conv2D -> FusedBatchNorm -> Relu) for each layer -> Conv2D "out".
GraphPtr network()
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 6, 6, channels});
    const TestAttrs conv{{"strides", attr::fromInts({1, 1, 1, 1})},
                         {"padding", attr::fromString("SAME")}};
    std::string before = "x";
    for (int i = 0; i < layers; ++i) {
        const auto seed = std::uint32_t(i) * 10;
        builder.floats(layer(i, "w"), {3, 3, channels, channels},
                       numbers(9 * channels * channels, seed + 1, -0.5F, 0.5F));
        builder.floats(layer(i, "scale"), {channels}, numbers(channels, seed + 2, 0.5F, 3));
        builder.floats(layer(i, "offset"), {channels}, numbers(channels, seed + 3, -0.5F, 0.5F));
        builder.floats(layer(i, "mean"), {channels}, numbers(channels, seed + 4, -0.5F, 0.5F));
        builder.floats(layer(i, "variance"), {channels}, numbers(channels, seed + 5, 0.3F, 3));
        builder.node(layer(i, "conv"), "Conv2D", {before, layer(i, "w")}, conv);
        builder.node(layer(i, "bn"), "FusedBatchNorm",
                     {layer(i, "conv"), layer(i, "scale"), layer(i, "offset"), layer(i, "mean"),
                      layer(i, "variance")},
                     {{"is_training", attr::fromBool(false)}});
        builder.node(layer(i, "relu"), "Relu", {layer(i, "bn")});
        before = layer(i, "relu");
    }
    builder.floats("w", {1, 1, channels, 2}, numbers(channels * 2, 99, -1, 1));
    builder.node("out", "Conv2D", {before, "w"}, conv);
    return builder.build();
}

// Permutes the weights of one layer.
GraphPtr withWrongWeights(const GraphPtr& graph, int i)
{
    std::vector<float> weights = floatsOf(graph, layer(i, "w"));
    std::ranges::reverse(weights);
    return withConstant(graph, layer(i, "w"), {3, 3, channels, channels}, weights);
}

// Changes one channel of the normalization by a large amount.
GraphPtr withWrongOffset(const GraphPtr& graph, int i)
{
    std::vector<float> offset = floatsOf(graph, layer(i, "offset"));
    offset[1] += 20;
    return withConstant(graph, layer(i, "offset"), {channels}, offset);
}

GraphPtr withWrongScale(const GraphPtr& graph, int i)
{
    std::vector<float> scale = floatsOf(graph, layer(i, "scale"));
    scale[2] *= 12;
    return withConstant(graph, layer(i, "scale"), {channels}, scale);
}

GraphPtr folded(const GraphPtr& graph)
{
    return passed("fold_old_batch_norms", graph, {"x"}, {"out"});
}

GraphPtr quantized(const GraphPtr& graph)
{
    const GraphPtr weights =
        passed("quantize_weights(minimum_size=2)", folded(graph), {"x"}, {"out"});
    return passed("quantize_nodes", weights, {"x"}, {"out"});
}

Verification verified(const GraphPtr& a, const GraphPtr& b)
{
    return lapidary::verified(a, b, {.input = "x", .dims = {1, 6, 6, channels}, .output = "out"});
}

} // namespace

TEST_CASE("verify: a fold is not a difference, in whatever layer", "[verify]")
{
    const GraphPtr graph = network();
    const Verification found = verified(graph, folded(graph));
    CHECK(found.isSame());
    CHECK(nameAt(found, found.firstAbove).empty());
    CHECK(nameAt(found, found.firstLarge).empty());
    for (int i = 0; i < layers; ++i) {
        const auto pair = std::ranges::find(found.pairs, layer(i, "conv") + ":0", &VerifiedPair::a);
        REQUIRE(pair != found.pairs.end());
        CHECK_FALSE(pair->isWithin);
        CHECK(pair->isUndone);
    }
}

TEST_CASE("verify: the codes of a tensor that a fold rescaled are no difference either", "[verify]")
{
    const GraphPtr graph = network();
    const GraphPtr other = quantized(graph);
    const std::vector<NodeId> counterparts(graph->size());
    const auto pairOf = [&](bool isRounding, double sqnrDb, double rescaledDb) {
        VerifiedPair pair;
        pair.a = layer(0, "conv") + ":0";
        pair.isWithin = false;
        pair.node = graph->find(layer(0, "conv"));
        pair.isRounding = isRounding;
        pair.agreement.sqnrDb = sqnrDb;
        pair.agreement.rescaledDb = rescaledDb;
        return pair;
    };
    Verification found;
    found.pairs = {pairOf(false, -13, 40), pairOf(true, -13, 38), pairOf(true, -13, -5)};
    findFirstDifferences({*graph, *other, counterparts}, found);
    CHECK(found.pairs[0].isUndone);
    CHECK(found.pairs[1].isUndone);
    CHECK_FALSE(found.pairs[2].isUndone); // the range itself is wrong
    CHECK(found.firstAbove == 2);
}

TEST_CASE("verify: damage is named where it is, beside folds and without", "[verify]")
{
    const GraphPtr graph = network();
    for (int i = 0; i < layers; ++i) {
        CAPTURE(i);
        const GraphPtr weights = withWrongWeights(graph, i);
        const GraphPtr offset = withWrongOffset(graph, i);
        const GraphPtr scale = withWrongScale(graph, i);
        for (const bool isFolded : {false, true}) {
            CAPTURE(isFolded);
            const auto causeOf = [&](const GraphPtr& damaged) {
                const Verification found = verified(graph, isFolded ? folded(damaged) : damaged);
                CHECK_FALSE(found.isSame());
                return nameAt(found, found.firstAbove);
            };
            CHECK(causeOf(weights) == layer(i, "conv") + ":0");
            CHECK(causeOf(offset) == layer(i, "bn") + ":0");
            CHECK(causeOf(scale) == layer(i, "bn") + ":0");
        }
    }
}

TEST_CASE("verify: 8 bits are a small loss, and damage beside it is the first large one",
          "[verify]")
{
    const GraphPtr graph = network();
    const Verification good = verified(graph, quantized(graph));
    CHECK(good.grade() == Grade::SmallLoss);
    CHECK(nameAt(good, good.firstLarge).empty());
    CHECK_FALSE(nameAt(good, good.firstAbove).empty());
    for (int i = 0; i < layers; ++i) {
        CAPTURE(i);
        const Verification weights = verified(graph, quantized(withWrongWeights(graph, i)));
        CHECK(nameAt(weights, weights.firstLarge) == layer(i, "conv") + ":0");
        const Verification offset = verified(graph, quantized(withWrongOffset(graph, i)));
        CHECK(nameAt(offset, offset.firstLarge) == layer(i, "bn") + ":0");
        const Verification scale = verified(graph, quantized(withWrongScale(graph, i)));
        CHECK(nameAt(scale, scale.firstLarge) == layer(i, "bn") + ":0");
    }
}

TEST_CASE("verify: an equalization of two layers is not a difference, damage beside it is",
          "[verify]")
{
    // relu(x * s) = s * relu(x) for s > 0: the next layer divides by the factor of the previous
    // one.
    const GraphPtr graph = network();
    for (int i = 0; i + 1 < layers; ++i) {
        CAPTURE(i);
        std::vector<float> scale = floatsOf(graph, layer(i, "scale"));
        std::vector<float> offset = floatsOf(graph, layer(i, "offset"));
        std::vector<float> next = floatsOf(graph, layer(i + 1, "w"));
        for (std::size_t c = 0; c < std::size_t(channels); ++c) {
            const float factor = float(c) + 2;
            scale[c] *= factor;
            offset[c] *= factor;
            for (std::size_t tap = 0; tap < 9; ++tap)
                for (std::size_t out = 0; out < std::size_t(channels); ++out)
                    next[(tap * channels + c) * channels + out] /= factor;
        }
        GraphPtr equalized = withConstant(graph, layer(i, "scale"), {channels}, scale);
        equalized = withConstant(equalized, layer(i, "offset"), {channels}, offset);
        equalized = withConstant(equalized, layer(i + 1, "w"), {3, 3, channels, channels}, next);
        const Verification found = verified(graph, equalized);
        CHECK(found.isSame());
        CHECK(nameAt(found, found.firstAbove).empty());
        const Verification damaged = verified(graph, withWrongOffset(equalized, i + 1));
        CHECK(nameAt(damaged, damaged.firstAbove) == layer(i + 1, "bn") + ":0");
    }
}

} // namespace lapidary
