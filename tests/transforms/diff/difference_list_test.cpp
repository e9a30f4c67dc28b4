// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph_edit.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "transforms/diff/difference_list.h"

#include <set>

namespace lapidary {
namespace {

DifferenceListPtr listOf(const GraphPtr& before, const GraphPtr& after)
{
    auto list = listDifferences(before, after, Job());
    REQUIRE(list.ok());
    return *list;
}

std::vector<std::string> names(const DifferenceList& list)
{
    std::vector<std::string> all;
    for (const Difference& step : list.steps)
        all.push_back(step.name);
    return all;
}

} // namespace

TEST_CASE("differences are stepped through along the data flow", "[diff]")
{
    const DifferenceListPtr list =
        listOf(graph("x = Placeholder()\na = Relu(x)\nold = Tanh(a)\nb = Neg(old)\nc = Exp(b)"),
               graph("x = Placeholder()\nc = Exp(b)\nb = Neg(a)\nfresh = Abs(c)\na = Relu(x)"));
    CHECK(names(*list) == std::vector<std::string>{"old", "b", "fresh"});
    CHECK(list->steps[0].is(DifferenceKind::Removed));
    CHECK(!list->steps[0].after.isValid());
    CHECK(list->steps[1].is(DifferenceKind::Rewired));
    CHECK(list->steps[2].is(DifferenceKind::Added));
    CHECK(list->counts[std::size_t(DifferenceKind::Removed)] == 1);
    const NodeId b = list->before->find("b");
    CHECK(list->counterpart(b, true) == list->after->find("b"));
    CHECK(list->counterpart(list->after->find("b"), false) == b);
    CHECK(!list->counterpart(list->before->find("old"), true).isValid());
    CHECK(!list->counterpart(NodeId{}, true).isValid());
    CHECK(!list->counterpart(NodeId{99}, false).isValid());
}

TEST_CASE("a weight that differs is a step where it is used first", "[diff]")
{
    // The order of many files: weights first, those of the last layer before the others.
    const GraphPtr before = graph("last = Const()\nspare = Const()\nfirst = Const()\n"
                                  "shown = Identity(first)\nx = Placeholder()\nc1 = Relu(x)\n"
                                  "a = Conv2D(c1, shown)\nb = Relu(a)\nz = Conv2D(b, last)");
    GraphEdit edit(before);
    for (std::uint32_t i = 0; i < before->size(); ++i)
        if (before->node({i}).name() != "a")
            edit.setFields({i}, {.device = "/cpu:0"});
    const auto after = std::move(edit).finish();
    REQUIRE(after.ok());
    CHECK(names(*listOf(before, after->graph)) ==
          std::vector<std::string>{"x", "c1", "first", "shown", "b", "last", "z", "spare"});
}

TEST_CASE("a node that differs in several ways is one step", "[diff]")
{
    const DifferenceListPtr list =
        listOf(graph("x = Placeholder()\nz = Placeholder()\na = Relu(x)"),
               graph("x = Placeholder()\nz = Placeholder()\na = Tanh(z)"));
    std::set<std::string> seen;
    for (const Difference& step : list->steps)
        CHECK(seen.insert(step.name).second);
    REQUIRE(seen.contains("a"));
    const auto a = std::ranges::find(list->steps, "a", &Difference::name);
    CHECK(a->is(DifferenceKind::Op));
    CHECK(a->is(DifferenceKind::Rewired));
    CHECK(a->texts.size() == 2);
}

TEST_CASE("equal graphs have no steps", "[diff]")
{
    const GraphPtr in = graph("x = Placeholder()\na = Relu(x)");
    CHECK(listOf(in, in)->steps.empty());
    const GraphPtr none = graph("");
    CHECK(listOf(none, none)->steps.empty());
    CHECK(listOf(none, in)->steps.size() == 2);
    CHECK(listOf(in, none)->steps.size() == 2);
}

TEST_CASE("a cycle has an order too", "[diff]")
{
    const DifferenceListPtr list = listOf(graph("m = Merge(m2)\nm2 = Relu(m)\ngone = Abs(m)"),
                                          graph("m = Merge(m2)\nm2 = Tanh(m)"));
    CHECK(list->steps.size() == 2);
}

} // namespace lapidary
