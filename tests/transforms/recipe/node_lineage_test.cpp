// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "transforms/recipe/node_lineage.h"
#include "transforms/recipe/run_recipe.h"

using namespace lapidary;

namespace {

struct Made {
    GraphPtr base;
    RecipeRun run;
    std::vector<LineageHop> way;

    Made(const char* text, const char* recipe)
        : base(graph(text))
    {
        const auto steps = parseRecipe(recipe, RecipeSyntax::Strict);
        REQUIRE(steps.ok());
        run = runRecipe(base, *steps, {"x"}, {"y"}, Job());
        INFO(run.fault);
        REQUIRE(run.ok());
        const Graph* before = base.get();
        for (const RecipeState& state : run.states) {
            way.push_back({before, state.edit.graph.get(), &state.edit.lineage});
            before = state.edit.graph.get();
        }
    }
    const Graph& after(std::size_t hops) const
    {
        return hops == 0 ? *base : *run.states[hops - 1].edit.graph;
    }
    std::vector<std::string> names(std::size_t hops, const std::vector<NodeId>& ids) const
    {
        std::vector<std::string> all;
        for (const NodeId id : ids)
            all.emplace_back(after(hops).node(id).name());
        return all;
    }
};
using Names = std::vector<std::string>;

} // namespace

TEST_CASE("a node is followed to what took it away, and to what carries on", "[lineage]")
{
    const Made made("x = Placeholder()\na = Identity(x)\ntwin = Neg(a)\nalso = Neg(a)\n"
                    "sum = Add(twin, also)\nunused = Neg(x)\ny = Relu(sum)",
                    "strip_unused_nodes remove_nodes(op=Identity) merge_duplicate_nodes "
                    "rename_node(old_name=sum, new_name=total)");
    const auto fate = [&](const char* name) {
        return futureOf(made.way, 0, made.base->find(name));
    };

    const NodeFuture unused = fate("unused");
    REQUIRE(unused.fates.size() == 1);
    CHECK(unused.fates[0].hop == 0);
    CHECK(!unused.fates[0].reason.empty());
    CHECK(unused.last.empty());

    const NodeFuture passed = fate("a");
    REQUIRE(passed.fates.size() == 1);
    CHECK(passed.fates[0].hop == 1);
    CHECK(made.names(2, passed.fates[0].successors) == Names{"x"});
    CHECK(made.names(4, passed.last) == Names{"x"});

    // One of the two nodes is merged into the other one.
    const NodeFuture twin = fate("twin");
    const NodeFuture also = fate("also");
    CHECK(made.names(4, twin.last) == made.names(4, also.last));
    REQUIRE(twin.fates.size() + also.fates.size() == 1);
    const NodeFuture& merged = twin.fates.empty() ? also : twin;
    CHECK(merged.fates[0].hop == 2);
    CHECK(!merged.fates[0].reason.empty());

    const NodeFuture sum = fate("sum");
    REQUIRE(sum.fates.size() == 1);
    CHECK(sum.fates[0].reason.empty()); // renamed
    CHECK(made.names(4, sum.last) == Names{"total"});

    CHECK(fate("x").fates.empty());
    CHECK(futureOf(made.way, 4, made.after(4).find("total")).fates.empty());
}

TEST_CASE("a node is followed back to the nodes it was made of", "[lineage]")
{
    const Made made("x = Placeholder()\na = Identity(x)\ntwin = Neg(a)\nalso = Neg(a)\n"
                    "sum = Add(twin, also)\nunused = Neg(x)\ny = Relu(sum)",
                    "strip_unused_nodes remove_nodes(op=Identity) merge_duplicate_nodes "
                    "rename_node(old_name=sum, new_name=total)");
    const auto past = [&](const char* name) {
        return pastOf(made.way, 4, made.after(4).find(name));
    };

    const NodePast x = past("x"); // unchanged, except for what it represents
    REQUIRE(x.changes.size() == 1);
    CHECK(x.changes[0].hop == 1);
    CHECK(made.names(1, x.changes[0].replaced) == Names{"a"});
    CHECK(made.names(0, x.originals) == Names{"x"});
    CHECK(past("y").changes.size() == 1); // its input was renamed
    CHECK(past("y").changes[0].replaced.empty());

    const NodePast total = past("total");
    CHECK(made.names(0, total.originals) == Names{"sum"});
    REQUIRE(total.changes.size() >= 2); // rewired by the merge, renamed
    CHECK(total.changes[0].hop == 3);
    CHECK(total.changes[0].isRenamed);
    CHECK(made.names(3, total.changes[0].origins) == Names{"sum"});
    CHECK_FALSE(total.changes[1].isRenamed);

    // A state has no lineage to later ones.
    const NodePast early = pastOf(made.way, 1, made.after(1).find("sum"));
    CHECK(early.changes.empty());
}

TEST_CASE("lineage of nothing is nothing", "[lineage]")
{
    CHECK(pastOf({}, 3, NodeId{0}).originals == std::vector<NodeId>{NodeId{0}});
    CHECK(futureOf({}, 3, NodeId{0}).fates.empty());
    const Made made("x = Placeholder()\ny = Relu(x)", "remove_device");
    CHECK(futureOf(made.way, 0, NodeId{99}).last.empty());
    CHECK(pastOf(made.way, 1, NodeId{}).originals.empty());
}
