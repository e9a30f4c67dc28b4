// SPDX-License-Identifier: Apache-2.0
#include "graph_model/explore/trace.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <array>

using namespace lapidary;

namespace {

GraphPtr diamond()
{
    return graph(R"(x = Placeholder()
                    left = Relu(x)
                    right = Relu(x)
                    long = Relu(right)
                    sum = Add(left, long)
                    init = NoOp()
                    gated = Identity(sum, ^init)
                    alone = NoOp()
                    lost = Relu(nowhere))");
}

std::string named(const GraphPtr& in, const std::vector<bool>& flags)
{
    std::string out;
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (flags[i])
            out += (out.empty() ? "" : " ") + std::string(in->nodes()[i]->name());
    return out;
}

std::string up(const GraphPtr& in, std::string_view from, bool control = true)
{
    return named(in, traceUp(*in, std::array{in->find(from)}, {control}, Job()).value());
}

std::string down(const GraphPtr& in, std::string_view from, bool control = true)
{
    return named(in, traceDown(*in, std::array{in->find(from)}, {control}, Job()).value());
}

} // namespace

TEST_CASE("traces follow data and, when asked, control edges", "[trace]")
{
    const GraphPtr in = diamond();
    CHECK(up(in, "sum") == "x left right long sum");
    CHECK(up(in, "gated") == "x left right long sum init gated");
    CHECK(up(in, "gated", false) == "x left right long sum gated");
    CHECK(down(in, "right") == "right long sum gated");
    CHECK(down(in, "init", false) == "init");
    CHECK(up(in, "lost") == "lost");
}

TEST_CASE("paths run between two nodes in either direction", "[trace]")
{
    const GraphPtr in = diamond();
    const auto forward = pathsBetween(*in, in->find("x"), in->find("sum"), {}, Job()).value();
    CHECK(!forward.isReversed);
    CHECK(named(in, forward.nodes) == "x left right long sum");
    CHECK(forward.shortest.size() == 3);
    const auto back = pathsBetween(*in, in->find("sum"), in->find("right"), {}, Job()).value();
    CHECK(back.isReversed);
    CHECK(named(in, back.nodes) == "right long sum");
    const auto none = pathsBetween(*in, in->find("x"), in->find("alone"), {}, Job()).value();
    CHECK(named(in, none.nodes).empty());
    CHECK(none.shortest.empty());
    const auto self = pathsBetween(*in, in->find("x"), in->find("x"), {}, Job()).value();
    CHECK(self.shortest.size() == 1);
}

TEST_CASE("traces of a loop end", "[trace]")
{
    const GraphPtr in = graph(R"(a = Merge(enter, next)
                                 enter = Enter()
                                 b = Switch(a)
                                 next = NextIteration(b)
                                 out = Exit(b))");
    CHECK(up(in, "out") == "a enter b next out");
    CHECK(down(in, "a") == "a b next out");
}

TEST_CASE("a chain of 200,000 nodes is traced without recursion", "[trace]")
{
    Graph::Parts parts;
    std::string before;
    for (int i = 0; i < 200'000; ++i) {
        NodeDraft draft;
        draft.name = "n" + std::to_string(i);
        draft.op = "Relu";
        if (!before.empty())
            draft.inputs.push_back(before);
        before = draft.name;
        parts.nodes.push_back(draft.finish());
    }
    const GraphPtr in = Graph::make(std::move(parts));
    const auto path = pathsBetween(*in, NodeId{0}, NodeId{199'999}, {}, Job()).value();
    CHECK(path.shortest.size() == 200'000);
}
