// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/layered_graphs.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {
namespace {

// Three channels after a Relu; the second one is at most `bias` + 0.2.
GraphBuilder layered(float bias, const char* activation = "Relu6")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 4, 4, 2})
        .floats("w", {1, 1, 2, 3}, {1, 0.1F, -1, 0.5F, -0.1F, 2})
        .node("conv", "Conv2D", {"x", "w"}, same)
        .floats("b", {3}, {0.5F, bias, 0.25F})
        .node("sum", "BiasAdd", {"conv", "b"})
        .node("a", activation, {"sum"});
    return builder;
}

GraphBuilder& readBy(GraphBuilder& builder, Dims dims, const char* from = "a")
{
    return builder.floats("v", std::move(dims), {3, -2, 50, 88, 1, 2, -1})
        .node("second", "Conv2D", {from, "v"}, same)
        .floats("c", {2}, {0.5F, -0.5F})
        .node("y", "BiasAdd", {"second", "c"});
}

GraphPtr dropped(const GraphPtr& before)
{
    const GraphPtr after = passed("drop_dead_channels", before, {"x"}, {"y"});
    CHECK(computesOther(before, after, {"y"}, 1e-6) == "");
    CHECK(passed("drop_dead_channels", after, {"x"}, {"y"}) == after);
    return after;
}

std::string whyNoneIsDropped(const GraphPtr& graph)
{
    const auto findings = findPass("drop_dead_channels")->find(graph, {{"x"}, {"y"}, {}}, Job());
    REQUIRE(findings.ok());
    std::string text;
    for (const Finding& finding : *findings)
        if (!finding.why.empty())
            text += (text.empty() ? "" : "; ") + finding.why;
    return text;
}

} // namespace

TEST_CASE("weights of a channel that is always 0 are dropped on both sides", "[passes][dead]")
{
    for (const char* activation : {"Relu", "Relu6"}) {
        GraphBuilder builder = layered(-0.3F, activation);
        const GraphPtr after = dropped(readBy(builder, {1, 1, 3, 2}).build());
        CHECK(floatsOf(after, "w") == Floats{1, 0, -1, 0.5F, 0, 2});
        CHECK(floatsOf(after, "v") == Floats{3, -2, 0, 0, 1, 2});
        CHECK(floatsOf(after, "b") == Floats{0.5F, -0.3F, 0.25F});
    }
    // Zeros around an image are zeros too, and pooling and Reshape pass the channel on.
    GraphBuilder builder = layered(-0.3F);
    builder.node("pool", "MaxPool", {"a"},
                 {{"ksize", attr::fromInts({1, 2, 2, 1})},
                  {"strides", attr::fromInts({1, 2, 2, 1})},
                  {"padding", attr::fromString("VALID")}});
    const GraphPtr after = dropped(readBy(builder, {3, 3, 3, 2}, "pool").build());
    const Floats v = floatsOf(after, "v");
    for (std::size_t i = 0; i < v.size(); ++i)
        CHECK((v[i] == 0) == (i / 2 % 3 == 1));
}

TEST_CASE("a channel that is not proven dead stays", "[passes][dead]")
{
    GraphBuilder alive = layered(-0.15F); // up to 0.05
    const GraphPtr before = readBy(alive, {1, 1, 3, 2}).build();
    CHECK(dropped(before) == before);
    // A wider range makes a channel live, a narrower one makes it dead.
    const char* narrow = "drop_dead_channels(input_min=0, input_max=1)";
    CHECK(passed(narrow, before, {"x"}, {"y"}) != before);
    GraphBuilder dead = layered(-0.3F);
    const GraphPtr other = readBy(dead, {1, 1, 3, 2}).build();
    CHECK(passed("drop_dead_channels(input_min=-9, input_max=9)", other, {"x"}, {"y"}) == other);
    // The other reader of the layer reads its negative values, too.
    GraphBuilder shared = layered(-0.3F);
    readBy(shared, {1, 1, 3, 2}).node("also", "Neg", {"sum"});
    const GraphPtr watched = shared.build();
    const GraphPtr after = passed("drop_dead_channels", watched, {"x"}, {"y", "also"});
    CHECK(floatsOf(after, "w") == floatsOf(watched, "w"));
    CHECK(floatsOf(after, "v") == Floats{3, -2, 0, 0, 1, 2});
    CHECK(computesOther(watched, after, {"y", "also"}, 1e-6) == "");
}

TEST_CASE("a constant channel goes into the bias of its reader", "[passes][dead]")
{
    GraphBuilder builder = layered(9);
    const GraphPtr after = dropped(readBy(builder, {1, 1, 3, 2}).build());
    CHECK(floatsOf(after, "v") == Floats{3, -2, 0, 0, 1, 2});
    CHECK(floatsOf(after, "c") == Floats{300.5F, 527.5F}); // 6 * 50 and 6 * 88
    GraphBuilder padded = layered(9);
    const GraphPtr kept = readBy(padded, {3, 3, 3, 2}).build();
    CHECK(dropped(kept) == kept);
    CHECK(whyNoneIsDropped(kept) == "channel 1 is constant, but its padding is 0");
}

TEST_CASE("near misses of dead channels name the condition", "[passes][dead]")
{
    const auto bare = [](const char* op) {
        return GraphBuilder()
            .placeholder("x", {1, 4, 4, 2})
            .node("odd", op, {"x"})
            .floats("w", {1, 1, 2, 2}, {1, 2, 3, 4})
            .node("y", "Conv2D", {"odd", "w"}, same)
            .build();
    };
    CHECK(whyNoneIsDropped(bare("Exp")) == "the range of its input is not known");
    CHECK(whyNoneIsDropped(bare("Relu")).empty());
    const auto wrong =
        applyPass("drop_dead_channels(input_min=1, input_max=-1)", bare("Relu"), {"x"}, {"y"});
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().message ==
          "drop_dead_channels needs finite numbers input_min <= input_max");
}

namespace {

PatternCases dropDeadChannelsPatterns(const TestFolder&)
{
    return {{"drop_dead_channels",
             twoLayers("Relu6", {1, -0.5F}),
             {"w", "conv", "bias", "sum", "a", "v"},
             {{"all are alive", twoLayers("Relu6", {1, 0.1F})}}}};
}

const CasesOf dropDeadChannelsCases("drop_dead_channels", {.patterns = dropDeadChannelsPatterns});

} // namespace

} // namespace lapidary
