// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/layered_graphs.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

// x -> conv, bias, activation -> y, with a first layer whose channels differ a hundredfold.
GraphBuilder uneven(const char* activation)
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 4, 4, 2})
        .floats("w", {1, 1, 2, 3}, {20, 0.1F, -1, 3, -0.2F, 2})
        .node("conv", "Conv2D", {"x", "w"}, same)
        .floats("b", {3}, {0.5F, 0.1F, 0.25F})
        .node("sum", "BiasAdd", {"conv", "b"})
        .node("a", activation, {"sum"});
    return builder;
}

GraphBuilder& readBy(GraphBuilder& builder, const char* from = "a")
{
    return builder.floats("v", {3, 3, 3, 2}, {0.3F, -0.2F, 5, 8, 0.1F, 0.2F, -0.1F})
        .node("y", "Conv2D", {from, "v"}, same);
}

std::string whyNot(const GraphPtr& graph, const char* head = "conv", Parameters parameters = {})
{
    const auto findings =
        findPass("equalize_layers")->find(graph, {{"x"}, {"y"}, std::move(parameters)}, Job());
    REQUIRE(findings.ok());
    for (const Finding& finding : *findings)
        if (graph->node(finding.nodes.front()).name() == head)
            return finding.why;
    return "not found";
}

// Returns the ratio of the largest to the smallest channel of a layer's output.
double spread(const GraphPtr& graph, const char* weights, std::size_t channels)
{
    const Floats values = floatsOf(graph, weights);
    Floats largest(channels);
    for (std::size_t i = 0; i < values.size(); ++i)
        largest[i % channels] = std::max(largest[i % channels], std::abs(values[i]));
    return double(*std::ranges::max_element(largest)) / double(*std::ranges::min_element(largest));
}

} // namespace

TEST_CASE("channels of two layers are evened out", "[passes][equalize]")
{
    for (const char* activation : {"Relu", "Relu6", "LeakyRelu", "Identity"}) {
        INFO(activation);
        GraphBuilder builder = uneven(activation);
        const GraphPtr before = readBy(builder).build();
        const GraphPtr after = passed("equalize_layers", before, {"x"}, {"y"});
        CHECK(computesOther(before, after, {"y"}, 1e-5) == "");
        CHECK(spread(before, "w", 3) > 90);
        CHECK(spread(after, "w", 3) < 11);
        CHECK(opOf(after, "a") == (std::string(activation) == "Relu6" ? "Minimum" : activation));
        CHECK(passed("equalize_layers", after, {"x"}, {"y"}) == after);
    }
}

TEST_CASE("limits are scaled like the channels that they clip", "[passes][equalize]")
{
    GraphBuilder builder = uneven("Relu6");
    const GraphPtr before = readBy(builder).build();
    const GraphPtr after = passed("equalize_layers", before, {"x"}, {"y"});
    CHECK(inputsOf(after, "a") == "a/relu, a/clip");
    CHECK(inputsOf(after, "a/relu") == "sum");
    const Floats w = floatsOf(before, "w");
    const Floats scaled = floatsOf(after, "w");
    const Floats limits = floatsOf(after, "a/clip");
    for (std::size_t k = 0; k < 3; ++k)
        CHECK(limits[k] == Approx(6 * double(scaled[k]) / double(w[k])).epsilon(1e-5));
    // The clip has an effect: some values are above it.
    CHECK(computesOther(before, passed("equalize_layers(relu6=relu)", before, {"x"}, {"y"}), {"y"},
                        1e-3) != "");
    CHECK(passed("equalize_layers(relu6=skip)", before, {"x"}, {"y"}) == before);
}

TEST_CASE("equalization changes no results of 50 networks", "[passes][equalize]")
{
    std::size_t pairs = 0;
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        INFO("seed " << seed);
        const GraphPtr before = randomLayers(seed);
        const auto edit = applyPass("equalize_layers", before, {"x"}, {"y"});
        REQUIRE(edit.ok());
        pairs += edit->places;
        CHECK(computesOther(before, edit->graph, {"y"}, 1e-4) == "");
    }
    CHECK(pairs > 50);
}

TEST_CASE("near misses of an equalization name the condition", "[passes][equalize]")
{
    const auto miss = [](const char* activation, const auto& more) {
        GraphBuilder builder = uneven(activation);
        readBy(builder);
        more(builder);
        return builder.build();
    };
    const auto nothing = [](GraphBuilder&) {};
    CHECK(whyNot(miss("Relu", nothing)).empty());
    CHECK(whyNot(miss("Sigmoid", nothing)) == "also read by a (Sigmoid)");
    CHECK(whyNot(miss("Relu", [](GraphBuilder& b) { b.node("z", "Neg", {"a"}); })) ==
          "also read by z (Neg)");
    CHECK(whyNot(miss("Relu", [](GraphBuilder& b) { b.node("z", "Neg", {"w"}); }), "conv") ==
          "not found");
    CHECK(whyNot(miss("Relu", [](GraphBuilder& b) { b.node("z", "Neg", {"v"}); })) ==
          "read by y: its weights v are also read by z");
    CHECK(whyNot(miss("Relu", [](GraphBuilder& b) { b.node("z", "Shape", {"a"}); })) ==
          "also read by z (Shape)");
    CHECK(whyNot(miss("Relu6", [](GraphBuilder& b) { b.floats("a/clip", {}, {1}); })) ==
          "the name a/clip is taken");
    CHECK(whyNot(miss("Relu", nothing), "y") == "y is an input or output of the model");
    Parameters skip;
    skip.add("relu6", "skip");
    CHECK(whyNot(miss("Relu6", nothing), "conv", skip) == "a is a Relu6, and relu6=skip");
    Parameters ignore;
    ignore.add("ignore_node", "c?nv");
    CHECK(whyNot(miss("Relu", nothing), "conv", ignore) == "left as it is: ignore_node");
    Parameters wrong;
    wrong.add("relu6", "maybe");
    const auto refused =
        findPass("equalize_layers")->run(miss("Relu", nothing), {{"x"}, {"y"}, wrong}, Job());
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message ==
          "relu6 of equalize_layers is exact, relu or skip, not 'maybe'");
}

namespace {

PatternCases equalizeLayersPatterns(const TestFolder&)
{
    PatternCases cases;
    for (const char* activation : {"Relu", "Relu6"})
        cases.push_back({"equalize_layers",
                         twoLayers(activation, {1, 0.1F}),
                         {"w", "conv", "bias", "sum", "a", "v"},
                         {{"a bend", twoLayers("Tanh", {1, 0.1F})}}});
    return cases;
}

const CasesOf equalizeLayersCases("equalize_layers", {.patterns = equalizeLayersPatterns});

} // namespace

} // namespace lapidary
