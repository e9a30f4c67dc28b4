// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/match/glob.h"
#include "transforms/match/motif.h"

#include <algorithm>
#include <random>

namespace lapidary {
namespace {

constexpr std::size_t plenty = 1'000'000;

using Names = std::vector<std::vector<std::string>>;

MotifMatches found(const Graph& graph, std::string_view text, std::size_t limit = plenty)
{
    const auto motif = parseMotif(text);
    INFO(text);
    INFO((motif.ok() ? std::string() : motif.error().message));
    REQUIRE(motif.ok());
    auto matches = findMotif(graph, *motif, limit, Job());
    REQUIRE(matches.ok());
    return *std::move(matches);
}

Names names(const GraphPtr& graph, std::string_view text)
{
    Names all;
    for (const auto& chain : found(*graph, text).chains) {
        auto& one = all.emplace_back();
        for (const NodeId id : chain)
            one.emplace_back(graph->node(id).name());
    }
    return all;
}

std::string faultOf(std::string_view text)
{
    const auto motif = parseMotif(text);
    return motif ? "" : motif.error().message;
}

// A random graph with loops, control edges, hubs and double edges, with `planted` chains P0 ->
// P1|P2 -> P3 among them, whose ops occur nowhere else.
GraphPtr randomGraph(std::mt19937& random, int nodes, int planted)
{
    std::string text;
    const auto any = [&] { return "n" + std::to_string(random() % unsigned(nodes)); };
    for (int i = 0; i < nodes; ++i) {
        text += "n" + std::to_string(i) + " = O" + std::to_string(random() % 4) + "(";
        const unsigned inputs = random() % 4;
        for (unsigned k = 0; k < inputs; ++k)
            text += any() + (random() % 5 == 0 ? ":1" : "") + ", ";
        text += random() % 3 == 0 ? "^" + any() : any();
        text += ")\n";
    }
    for (int i = 0; i < planted; ++i) {
        const std::string number = std::to_string(i);
        text += "p" + number + " = P0(" + any() + ")\n";
        text += "q" + number + " = P" + std::to_string(1 + random() % 2) + "(" + any() + ", p" +
                number + ")\n";
        text += "r" + number + " = P3(q" + number + ", ^" + any() + ")\n";
    }
    return graph(text);
}

bool isEdge(const Graph& graph, NodeId from, NodeId to, const MotifStep& step)
{
    const auto inputs = graph.inputs(to);
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot)
        if (inputs[slot].node == from && inputs[slot].isControl() == step.isControl &&
            (!step.slot || *step.slot == slot))
            return true;
    return false;
}

// Tries every tuple of nodes.
std::vector<std::vector<NodeId>> bruteForce(const Graph& graph, const Motif& motif)
{
    std::vector<std::vector<NodeId>> chains{{}};
    for (std::size_t step = 0; step < motif.size(); ++step) {
        std::vector<std::vector<NodeId>> longer;
        for (const auto& chain : chains)
            for (std::uint32_t i = 0; i < graph.size(); ++i) {
                const std::string op(graph.node(NodeId{i}).op());
                const auto& ops = motif[step].ops;
                const bool fits =
                    std::ranges::count(ops, op) > 0 || std::ranges::count(ops, "*") > 0;
                if (!fits || (step > 0 && !isEdge(graph, chain.back(), NodeId{i}, motif[step])))
                    continue;
                longer.push_back(chain);
                longer.back().push_back(NodeId{i});
            }
        chains = std::move(longer);
    }
    return chains;
}

} // namespace

TEST_CASE("globs", "[motif]")
{
    for (const char* glob : {"Relu6", "Relu*", "*", "R*6", "*6", "Re??6", "*e*u*", "Relu6*", "**"})
        CHECK(fitsGlob("Relu6", glob));
    for (const char* glob : {"", "Relu", "relu6", "?", "R*5", "*7", "Relu6?", "Relu66"})
        CHECK_FALSE(fitsGlob("Relu6", glob));
    CHECK(fitsGlob("", "*"));
    CHECK(fitsGlob("", ""));
    CHECK_FALSE(fitsGlob(std::string(5000, 'a'), "*a*a*a*a*a*a*a*b"));
}

TEST_CASE("chains are found however their nodes are wired otherwise", "[motif]")
{
    const GraphPtr net = graph(R"(x = Placeholder()
w = Const()
conv = Conv2D(x, w)
bias = BiasAdd(conv, w)
relu = Relu(bias)
relu6 = Relu6(bias)
square = Mul(relu, relu)
late = NoOp(^square)
end = Neg(x, ^late)
)");
    CHECK(names(net, "Conv2D -> BiasAdd -> Relu*") ==
          Names{{"conv", "bias", "relu"}, {"conv", "bias", "relu6"}});
    CHECK(names(net, "Conv2D->BiasAdd->Relu") == Names{{"conv", "bias", "relu"}});
    CHECK(names(net, "Const -> Conv2D|BiasAdd") == Names{{"w", "conv"}, {"w", "bias"}});
    CHECK(names(net, "* -0-> Conv2D") == Names{{"x", "conv"}});
    CHECK(names(net, "*-1->Conv2D") == Names{{"w", "conv"}});
    CHECK(names(net, "Relu -> Mul") == Names{{"relu", "square"}});
    CHECK(names(net, "Relu -1-> Mul") == Names{{"relu", "square"}});
    CHECK(names(net, "Mul -> NoOp").empty());
    CHECK(names(net, "Mul -^-> NoOp -^-> *") == Names{{"square", "late", "end"}});
    CHECK(names(net, "Relu?") == Names{{"relu6"}});
    CHECK(names(net, "*[name=*u*]") == Names{{"relu"}, {"relu6"}, {"square"}});
    CHECK(names(GraphBuilder().build(), "*").empty());
}

TEST_CASE("attributes are tested, with their defaults", "[motif]")
{
    const auto conv = [](std::vector<std::int64_t> strides, const char* padding) {
        return TestAttrs{{"strides", attr::fromInts(strides)},
                         {"padding", attr::fromString(padding)}};
    };
    const GraphPtr net = GraphBuilder()
                             .placeholder("x", {-1, 8, 8, 3})
                             .floats("w", {1, 1, 3, 3}, {1})
                             .node("a", "Conv2D", {"x", "w"}, conv({1, 1, 1, 1}, "SAME"))
                             .node("b", "Conv2D", {"x", "w"}, conv({1, 2, 2, 1}, "VALID"))
                             .node("leaky", "LeakyRelu", {"b"}, {{"alpha", attr::fromFloat(0.1F)}})
                             .build();
    CHECK(names(net, "Conv2D[strides=1]") == Names{{"a"}});
    CHECK(names(net, "Conv2D[strides=[1, 2,2,1]]") == Names{{"b"}});
    CHECK(names(net, "Conv2D[strides=[1,2,2]]").empty());
    CHECK(names(net, "Conv2D[strides!=1, padding=V*]") == Names{{"b"}});
    CHECK(names(net, "Conv2D[padding=\"SAME\"]") == Names{{"a"}});
    CHECK(names(net, "Conv2D[data_format=NHWC, dilations=1]") == Names{{"a"}, {"b"}});
    CHECK(names(net, "Placeholder[shape=[-1,8,8,3], dtype=float]") == Names{{"x"}});
    CHECK(names(net, "*[alpha=0.1]") == Names{{"leaky"}});
    CHECK(names(net, "*[alpha=1e-1]") == Names{{"leaky"}});
    CHECK(names(net, "*[alpha=0.2]").empty());
    CHECK(names(net, "Conv2D[no_such=1]").empty());
    CHECK(names(net, "Conv2D[no_such!=1]") == Names{{"a"}, {"b"}});
    CHECK(names(net, "Conv2D[use_cudnn_on_gpu=true]") == Names{{"a"}, {"b"}});
}

TEST_CASE("all planted chains are found in random graphs, and none but those that are there",
          "[motif]")
{
    std::mt19937 random(20260101);
    for (int round = 0; round < 60; ++round) {
        const int planted = round % 5;
        const GraphPtr where = randomGraph(random, 5 + round, planted);
        INFO(printGraph(*where));
        CHECK(found(*where, "P0 -> P1|P2 -> P3").chains.size() == std::size_t(planted));
        CHECK(found(*where, "P0 -1-> P* -0-> P3").chains.size() == std::size_t(planted));
        for (const char* text : {"O0", "O0 -> O1", "O0|O1 -> * -> O2", "O1 -^-> O2 -> O3",
                                 "O3 -0-> O3 -1-> O0", "* -> * -> *", "O0 -2-> * -> O0 -> O1|P0"}) {
            const auto motif = parseMotif(text);
            REQUIRE(motif.ok());
            INFO(text);
            CHECK(found(*where, text).chains == bruteForce(*where, *motif));
        }
    }
}

TEST_CASE("a search can be limited and cancelled", "[motif]")
{
    std::mt19937 random(1);
    const GraphPtr where = randomGraph(random, 60, 0);
    const auto some = found(*where, "* -> * -> *", 10);
    CHECK(some.chains.size() == 10);
    CHECK_FALSE(some.isComplete);
    const std::size_t all = found(*where, "* -> * -> *").chains.size();
    CHECK(found(*where, "* -> * -> *", all).isComplete);
    std::stop_source stop;
    stop.request_stop();
    const auto cancelled =
        findMotif(*where, parseMotif("*").value(), plenty, Job(stop.get_token()));
    REQUIRE_FALSE(cancelled.ok());
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
}

TEST_CASE("faults of a motif say where they are and what to write", "[motif]")
{
    const std::vector<std::pair<std::string, std::string>> faults{
        {"", "column 1"},
        {"Conv2D ->", "column 10: expected the name of an op"},
        {"Conv2D -> -> Relu", "column 11"},
        {"Conv2D Relu", "column 8: expected \"->\""},
        {"Conv2D\n  - > Relu", "line 2, column 3: this is not an arrow"},
        {"Conv2D -1> Relu", "column 8: this is not an arrow"},
        {"Conv2D -^> Relu", "column 8: this is not an arrow"},
        {"Conv2D -99999999999-> Relu", "column 8: no node has that many inputs"},
        {"Conv2D[strides]", "column 15: expected \"=\""},
        {"Conv2D[=1]", "column 8: expected the name of an attribute"},
        {"Conv2D[a=1", "column 11: expected \"]\""},
        {"Conv2D[a=]", "column 10: expected a value"},
        {"Conv2D[a=[1,]]", "column 13: expected a value"},
        {"Conv2D[a=\"x]", "column 10: this quote is not closed"},
        {"Conv2D[a!1]", "column 10: expected \"=\" after \"!\""},
        {"A|", "column 3"},
        {"A || B", "column 4"}};
    for (const auto& [text, fault] : faults) {
        INFO(text << ": " << faultOf(text));
        CHECK(faultOf(text).find(fault) != std::string::npos);
        CHECK(faultOf(text).rfind("motif, line ", 0) == 0);
    }
    std::string longest = "A";
    for (int i = 1; i < 100; ++i)
        longest += "->A";
    CHECK(faultOf(longest).empty());
    CHECK(faultOf(longest + "->A").find("at most 100") != std::string::npos);
}

} // namespace lapidary
