// SPDX-License-Identifier: Apache-2.0
// quantize_weights(correct_bias=...)
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "transforms/layers/channel_spread.h"
#include "transforms/recipe/presets.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace lapidary {
namespace {

constexpr const char* coarse = "quantize_weights(minimum_size=64, num_bits=3, ignore_op=BiasAdd";

Floats waves(std::size_t count, double step)
{
    Floats values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = float(std::sin(step * double(i)) + 0.3);
    return values;
}

// x -> a, normalized, Relu6 -> (pool) -> b with a bias -> y
GraphPtr layered(const char* between = "Identity", bool hasBias = true)
{
    const TestAttrs window{{"ksize", attr::fromInts({1, 2, 2, 1})},
                           {"strides", attr::fromInts({1, 1, 1, 1})},
                           {"padding", attr::fromString("SAME")}};
    GraphBuilder builder;
    builder.placeholder("x", {1, 24, 24, 3})
        .floats("v", {1, 1, 3, 8}, waves(24, 1.7))
        .node("a", "Conv2D", {"x", "v"}, same)
        .floats("gamma", {8}, {0.5F, 1, -2, 0.3F})
        .floats("beta", {8}, {1, -0.5F, 4, 0.2F})
        .floats("mean", {8}, {0.1F, 0.2F})
        .floats("variance", {8}, {0.9F, 0.5F})
        .node("norm", "FusedBatchNorm", {"a", "gamma", "beta", "mean", "variance"},
              {{"is_training", attr::fromBool(false)}})
        .node("relu", "Relu6", {"norm"})
        .node("between", between, {"relu"},
              std::string_view(between).ends_with("Pool") ? window : TestAttrs())
        .floats("w", {3, 3, 8, 4}, waves(288, 0.9))
        .node("b", "Conv2D", {"between", "w"}, same);
    if (hasBias)
        builder.floats("bias", {4}, {0.5F, -1, 2, 0}).node("y", "BiasAdd", {"b", "bias"});
    else
        builder.node("y", "Relu", {"b"});
    return builder.build();
}

GraphPtr folded(const GraphPtr& graph)
{
    return passed("fold_old_batch_norms(keep_statistics=true)", graph, {"x"}, {"y"});
}

Result<EditResult> corrected(const GraphPtr& graph, const std::string& more)
{
    return applyPass(std::string(coarse) + ", " + more + ")", graph, {"x"}, {"y"});
}

// Returns the mean of each channel of "y" for random pictures of [-1, 1].
std::vector<double> meansOf(const GraphPtr& graph)
{
    std::vector<double> means(4);
    std::mt19937 random(7);
    Session session(graph, {});
    MemoryPool pool(1 << 20);
    auto x = Value::make(DType::Float, {1, 24, 24, 3}, pool);
    REQUIRE(x.ok());
    for (float& value : x->mutableAs<float>())
        value = float(random() % 2001) / 1000 - 1;
    const auto answer =
        session.run({.feeds = {{"x:0", *x}}, .fetches = {"y:0"}, .targets = {}}, Job());
    REQUIRE(answer.ok());
    const auto values = answer->front().as<float>();
    for (std::size_t i = 0; i < values.size(); ++i)
        means[i % 4] += double(values[i]) * 4 / double(values.size());
    return means;
}

double shift(const GraphPtr& from, const GraphPtr& to)
{
    const auto a = meansOf(from);
    const auto b = meansOf(to);
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        sum += std::abs(a[k] - b[k]);
    return sum;
}

std::string whyNot(const GraphPtr& graph, const char* product)
{
    Parameters parameters;
    for (const auto& [name, value] :
         {std::pair("minimum_size", "64"), std::pair("correct_bias", "analytic")})
        parameters.add(name, value);
    const auto findings =
        findPass("quantize_weights")->find(graph, {{"x"}, {"y"}, parameters}, Job());
    REQUIRE(findings.ok());
    for (const Finding& finding : *findings)
        if (graph->node(finding.nodes.front()).name() == product)
            return finding.why;
    return "not found";
}

// Returns the mean of samples of a normal distribution, bent and clipped one by one.
double sampledMean(const ChannelSpread& spread)
{
    std::mt19937 random(3);
    std::normal_distribution<double> normal(spread.mean, spread.deviation);
    constexpr int count = 400000;
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += spread.bent(normal(random));
    return sum / count;
}

} // namespace

TEST_CASE("means of clipped normal values are those that samples have", "[layers]")
{
    constexpr double none = std::numeric_limits<double>::infinity();
    for (const ChannelSpread& spread :
         {ChannelSpread{.mean = 0.5, .deviation = 2},
          ChannelSpread{.mean = 0.5, .deviation = 2, .leak = 1, .low = 0, .high = none},
          ChannelSpread{.mean = 4, .deviation = 3, .leak = 1, .low = 0, .high = 6},
          ChannelSpread{.mean = -1, .deviation = 2, .leak = 0.2},
          ChannelSpread{.mean = -1, .deviation = 2, .leak = 0.2, .low = -0.3, .high = 1},
          ChannelSpread{.mean = 7, .deviation = 0, .leak = 1, .low = 0, .high = 6}}) {
        INFO(spread.mean << ' ' << spread.leak << ' ' << spread.low << ' ' << spread.high);
        CHECK(spread.expected() == Approx(sampledMean(spread)).margin(0.02));
    }
}

TEST_CASE("spreads pass activations, and end where channels mix", "[layers]")
{
    const GraphPtr graph = folded(layered());
    const auto spreads = channelSpreads(*graph, graph->find("between"));
    REQUIRE(spreads.ok());
    REQUIRE(spreads->channels.size() == 8);
    CHECK(spreads->channels[2].mean == 4);
    CHECK(spreads->channels[2].deviation == 2);
    CHECK(spreads->channels[2].low == 0);
    CHECK(spreads->channels[2].high == 6);
    CHECK_FALSE(channelSpreads(*graph, graph->find("y")).ok());
    CHECK_FALSE(channelSpreads(*layered(), layered()->find("between")).ok());
}

TEST_CASE("equalization keeps what statistics say", "[passes][equalize]")
{
    const GraphPtr before = folded(layered());
    const GraphPtr after = passed("equalize_layers", before, {"x"}, {"y"});
    const auto old = channelSpreads(*before, before->find("relu"));
    const auto now = channelSpreads(*after, after->find("relu"));
    REQUIRE(old.ok());
    REQUIRE(now.ok());
    const Floats oldBias = floatsOf(before, "a_bn_offset");
    const Floats newBias = floatsOf(after, "a_bn_offset");
    for (std::size_t k = 0; k < 8; ++k) {
        const double factor = double(oldBias[k]) / double(newBias[k]);
        CHECK(now->channels[k].mean * factor == Approx(old->channels[k].mean).epsilon(1e-4));
        CHECK(now->channels[k].high * factor == Approx(old->channels[k].high).epsilon(1e-4));
        CHECK(now->channels[k].expected() * factor ==
              Approx(old->channels[k].expected()).epsilon(1e-4));
    }
}

TEST_CASE("analytic correction takes the mean of rounding out of a bias", "[passes][bias]")
{
    const GraphPtr before = folded(layered());
    const auto edit = corrected(before, "correct_bias=analytic");
    REQUIRE(edit.ok());
    const GraphPtr& after = edit->graph;
    const auto spreads = channelSpreads(*before, before->find("between"));
    REQUIRE(spreads.ok());
    Session session(after, {});
    const auto rounded = session.run({.feeds = {}, .fetches = {"w:0"}, .targets = {}}, Job());
    REQUIRE(rounded.ok());
    const Floats w = floatsOf(before, "w");
    const Floats old = floatsOf(before, "bias");
    const Floats now = floatsOf(after, "bias");
    bool isMoved = false;
    for (std::size_t k = 0; k < 4; ++k) {
        double wanted = double(old[k]);
        for (std::size_t i = k; i < w.size(); i += 4)
            wanted -= (double(rounded->front().as<float>()[i]) - double(w[i])) *
                      spreads->channels[i / 4 % 8].expected();
        CHECK(double(now[k]) == Approx(wanted).margin(1e-4));
        isMoved = isMoved || std::abs(wanted - double(old[k])) > 1e-2;
    }
    CHECK(isMoved);
    // Without it, codes are the same.
    const GraphPtr plain = passed(std::string(coarse) + ")", before, {"x"}, {"y"});
    CHECK(quantizedValuesOf(plain, "w_quantized_const") ==
          quantizedValuesOf(after, "w_quantized_const"));
    CHECK(floatsOf(plain, "bias") == old);
}

TEST_CASE("empirical correction brings means back on samples", "[passes][bias]")
{
    const GraphPtr before = folded(layered());
    const GraphPtr plain = passed(std::string(coarse) + ")", before, {"x"}, {"y"});
    const auto edit =
        corrected(before, "correct_bias=empirical, samples=random, input_min=-1, input_max=1");
    INFO((edit.ok() ? "" : edit.error().message));
    REQUIRE(edit.ok());
    CHECK(shift(before, plain) > 0.1);
    CHECK(shift(before, edit->graph) < 0.3 * shift(before, plain));
}

TEST_CASE("the accurate preset corrects biases and drops the statistics", "[passes][bias]")
{
    const std::string recipe(findPreset("arm-8bit-accurate")->recipe);
    const std::string correction = ", correct_bias=analytic";
    const auto at = recipe.find(correction);
    REQUIRE(at != std::string::npos);
    std::string without = recipe;
    without.erase(at, correction.size());
    const auto after = [](const std::string& steps) {
        const RecipeRun run =
            runRecipe(layered(), *parseRecipe(steps, RecipeSyntax::Strict), {"x"}, {"y"}, Job());
        INFO(run.fault);
        REQUIRE(run.ok());
        return run.result(nullptr);
    };
    const GraphPtr graph = after(recipe);
    CHECK(floatsOf(graph, "bias") != floatsOf(after(without), "bias"));
    for (std::size_t i = 0; i < graph->size(); ++i)
        for (const std::string_view attribute : {"_bn_mean", "_bn_deviation"})
            CHECK_FALSE(graph->node(NodeId{std::uint32_t(i)}).hasAttr(attribute));
}

TEST_CASE("near misses of a bias correction name the condition", "[passes][bias]")
{
    CHECK(whyNot(folded(layered()), "b").empty());
    CHECK(whyNot(folded(layered("AvgPool")), "b").empty());
    CHECK(whyNot(folded(layered("MaxPool")), "b") ==
          "its input: the mean after between (MaxPool) is not known");
    CHECK(whyNot(folded(layered("Tanh")), "b") ==
          "its input: it has no statistics: between is not a batch normalization that was folded "
          "with keep_statistics");
    CHECK(whyNot(folded(layered("Identity", false)), "b") == "it has no bias to correct");
    const GraphPtr before = folded(layered());
    for (const auto& [more, message] :
         {std::pair("correct_bias=maybe",
                    "correct_bias is none, analytic or empirical, not 'maybe'"),
          std::pair("correct_bias=empirical", "samples is missing"),
          std::pair("correct_bias=empirical, samples=random", "give input_min and input_max")}) {
        INFO(more);
        const auto edit = corrected(before, more);
        REQUIRE_FALSE(edit.ok());
        CHECK(edit.error().message.find(message) != std::string::npos);
    }
    const GraphPtr sound = GraphBuilder()
                               .placeholder("x", {1, 490})
                               .floats("w", {490, 4}, waves(1960, 0.3))
                               .node("b", "MatMul", {"x", "w"})
                               .floats("bias", {4}, {1})
                               .node("y", "BiasAdd", {"b", "bias"})
                               .build();
    const auto refused =
        corrected(sound, "correct_bias=empirical, samples=random, input_min=-1, input_max=1");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find("which is not a picture: give samples=FOLDER") !=
          std::string::npos);
}

} // namespace lapidary
