// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_value.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/verify/verify_graphs.h"

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;

// Feeds both graphs with small random numbers unless the plan says otherwise.
Verification verifiedOn(const GraphPtr& a, const GraphPtr& b)
{
    GraphEntry first;
    first.graph = a;
    GraphEntry second;
    second.graph = b;
    VerifyPlan plan;
    plan.run.fetches = {"y"};
    plan.run.otherInputs = RandomFeed{};
    const auto found = verifyGraphs({first, "-"}, {second, "-"}, plan, Job());
    INFO((found ? "" : found.error().message));
    REQUIRE(found.ok());
    return *found;
}

// y = x + noise whose seeds are both 0, like the latent numbers of an autoencoder.
GraphBuilder noisy(const std::string& noise)
{
    return GraphBuilder()
        .placeholder("x", {4})
        .ints("size", {1}, {4})
        .node(noise, "RandomStandardNormal", {"size"},
              {{"T", attr::fromType(DType::Int32)}, {"dtype", attr::fromType(DType::Float)}})
        .node("y", "Add", {"x", noise});
}

} // namespace

TEST_CASE("verify: numbers that both graphs draw are the same ones", "[verify]")
{
    const GraphPtr graph = noisy("sampling/noise").build();
    CHECK(verifiedOn(graph, graph).grade() == Grade::Same);
    CHECK(verifiedOn(graph, noisy("call/sampling/noise").build()).grade() == Grade::Same);
}

TEST_CASE("verify: thousands of inputs are fed alike, those with defaults too", "[verify]")
{
    constexpr int count = 20000; // a linear search for each would compare 400 million texts
    GraphBuilder first;
    GraphBuilder second;
    Strings names;
    for (int i = 0; i < count; ++i) {
        const std::string name = "p" + std::to_string(i);
        names.push_back(name);
        if (i % 2 == 0)
            first.placeholder(name, {1});
        else
            first.floats("c" + name, {1}, {float(i)})
                .node(name, "PlaceholderWithDefault", {"c" + name},
                      {{"dtype", attr::fromType(DType::Float)},
                       {"shape", attr::fromShape({{1}, false})}});
        second.placeholder(name, {1});
    }
    for (GraphBuilder* graph : {&first, &second})
        graph->node("y", "AddN", names, {{"N", attr::fromInt(count)}});
    CHECK(verifiedOn(first.build(), second.build()).grade() == Grade::Same);
}

TEST_CASE("verify: an op without kernel is listed once, its nodes in both graphs", "[verify]")
{
    const auto with = [](const Strings& nodes) {
        GraphBuilder graph;
        graph.placeholder("x", {1});
        Strings read{"x"};
        for (const std::string& name : nodes) {
            graph.node(name, "Strange", {read.back()});
            read.push_back(name);
        }
        return graph.node("y", "Other", {read.back()}).build();
    };
    const auto found = verifiedOn(with({"a", "b"}), with({"b", "c"}));
    REQUIRE(found.missing.size() == 2);
    CHECK(found.missing[0].op == "Strange");
    CHECK(found.missing[0].nodes == Strings{"a", "b", "c"});
    CHECK(found.missing[1].nodes == Strings{"y"});
}

TEST_CASE("verify: numbers drawn are the same ones where the node has another name", "[verify]")
{
    const GraphPtr graph = noisy("sampling/noise").build();
    CHECK(verifiedOn(graph, noisy("n7").build()).grade() == Grade::Same);
}

TEST_CASE("verify: two nodes of one name draw the same numbers whichever runs first", "[verify]")
{
    const auto twice = [](bool isFirst) {
        const TestAttrs types{{"T", attr::fromType(DType::Int32)},
                              {"dtype", attr::fromType(DType::Float)}};
        GraphBuilder graph;
        graph.placeholder("x", {4}).ints("size", {1}, {4});
        graph.node(isFirst ? "a/noise" : "b/noise", "RandomStandardNormal", {"size"}, types);
        graph.node(isFirst ? "b/noise" : "a/noise", "RandomStandardNormal", {"size"}, types);
        graph.node("moved", "Add", {isFirst ? "a/noise" : "b/noise", "x"});
        graph.node("other", "Add", {isFirst ? "b/noise" : "a/noise", "x"});
        return graph.node("y", "Sub", {isFirst ? "moved" : "other", isFirst ? "other" : "moved"})
            .build();
    };
    CHECK(verifiedOn(twice(true), twice(false)).grade() == Grade::Same);
}

TEST_CASE("verify: two nodes of one name in different scopes draw different numbers", "[verify]")
{
    const auto twice = [](const std::string& last) {
        return noisy("a/noise")
            .node("b/noise", "RandomStandardNormal", {"size"},
                  {{"T", attr::fromType(DType::Int32)}, {"dtype", attr::fromType(DType::Float)}})
            .node("gap", "Sub", {"y", last})
            .build();
    };
    GraphEntry entry;
    entry.graph = twice("b/noise");
    VerifyPlan plan;
    plan.run.fetches = {"gap"};
    plan.run.otherInputs = ConstantFeed{};
    GraphEntry zero;
    zero.graph = twice("a/noise");
    const auto found = verifyGraphs({entry, "-"}, {zero, "-"}, plan, Job());
    REQUIRE(found.ok());
    CHECK_FALSE(found->isSame());
}

TEST_CASE("verify: sizes that the first graph leaves open are those of the second", "[verify]")
{
    const auto graph = [](std::vector<std::int64_t> dims) {
        GraphBuilder builder;
        return builder.placeholder("x", std::move(dims)).node("y", "Relu", {"x"}).build();
    };
    CHECK(verifiedOn(graph({-1, -1}), graph({2, 3})).isSame());
    CHECK(verifiedOn(graph({-1, 3}), graph({5, 3})).isSame());
}

TEST_CASE("verify: the default of an input is fed where only the first graph has it", "[verify]")
{
    const auto scaled = [](GraphBuilder builder) {
        return builder.placeholder("x", {4}).node("y", "Mul", {"x", "share"}).build();
    };
    GraphBuilder with;
    with.floats("half", {}, {0.5F})
        .node("share", "PlaceholderWithDefault", {"half"},
              {{"dtype", attr::fromType(DType::Float)}, {"shape", attr::fromShape(Shape{})}});
    GraphBuilder without;
    without.placeholder("share", {});
    CHECK(verifiedOn(scaled(with), scaled(without)).grade() == Grade::Same);
}

} // namespace lapidary
