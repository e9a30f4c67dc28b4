// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/recipe_edits.h"
#include "app/document/recipe/recipe_session.h"
#include "app/window/recipe/recipe_rows.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "transforms/constants/const_node.h"

#include <QCoreApplication>
#include <QTest>

#include <numeric>

using namespace lapidary;
using Mark = RecipeSession::Status;

namespace {

const char* const chain = R"(x = Placeholder()
    a = Identity(x)
    b = Relu(a)
    c = Identity(b)
    twin = Neg(c)
    also = Neg(c)
    sum = Add(twin, also)
    unused = Neg(x)
    y = Relu(sum))";

const char* const tenSteps = "strip_unused_nodes remove_nodes(op=Identity) merge_duplicate_nodes "
                             "remove_device sort_by_execution_order add_default_attributes "
                             "remove_attribute(attribute_name=T) set_device(device=\"/cpu:0\") "
                             "obfuscate_names remove_dead_nodes";

Recipe recipe(const char* text)
{
    auto parsed = parseRecipe(text, RecipeSyntax::Strict);
    REQUIRE(parsed.ok());
    return *std::move(parsed);
}

RecipeItem step(const char* text)
{
    return {recipe(text).front(), true};
}

struct Bench {
    QThreadPool pool;
    GraphPtr base = graph(chain);
    int verified = 0;
    std::unique_ptr<RecipeSession> session;

    Bench()
    {
        pool.setMaxThreadCount(1);
        session = std::make_unique<RecipeSession>(&pool);
        session->setBase(base, {});
        session->setEnds({{"x"}, {"y"}});
    }
    void settle() const
    {
        const auto isDone = [&] {
            return !session->isRunning() && !session->verdicts().isRunning();
        };
        REQUIRE(QTest::qWaitFor(isDone, 60'000));
    }
    void load(const char* text) const
    {
        session->change(withRecipe(session->draft(), recipe(text)));
        session->apply(session->items().size());
        settle();
    }
    std::vector<TimelineStatePtr> states() const
    {
        std::vector<TimelineStatePtr> found;
        for (const RecipeSession::Place& place : session->places())
            found.push_back(place.state);
        return found;
    }
    std::vector<Mark> statuses() const
    {
        std::vector<Mark> found;
        for (const RecipeSession::Place& place : session->places())
            found.push_back(place.status);
        return found;
    }
    std::string shown() const { return encodeGraphDef(*session->shownGraph()); }
};

} // namespace

TEST_CASE("every applied step has a state, the last one is shown", "[recipe_session]")
{
    const Bench bench;
    bench.load("strip_unused_nodes remove_nodes(op=Identity)");
    CHECK(bench.statuses() == std::vector{Mark::Applied, Mark::Applied});
    CHECK(bench.states()[0]->graph()->size() == 8);
    CHECK(bench.session->shown() == 2);
    CHECK(bench.session->shownGraph() == bench.states()[1]->graph());
    CHECK(bench.session->shownGraph()->size() == 6);
    CHECK(bench.states()[1]->bytes == bench.shown().size());
    bench.session->show(0);
    CHECK(bench.session->shownGraph() == bench.base);
}

TEST_CASE("changing a step runs only what follows", "[recipe_session]")
{
    const Bench bench;
    bench.load("strip_unused_nodes remove_nodes(op=Identity) remove_device");
    const auto before = bench.states();
    bench.session->change(
        withStep(bench.session->draft(), 1, recipe("remove_nodes(op=Relu)").front()));
    CHECK(bench.states()[0] == before[0]);
    CHECK(bench.states()[1] == nullptr);
    bench.settle();
    const auto after = bench.states();
    CHECK(after[0] == before[0]);
    CHECK(after[1] != before[1]);
    CHECK(after[2] != before[2]);
    CHECK(bench.session->shownGraph() == after[2]->graph());
    bench.session->change(withSwitched(bench.session->draft(), 1, false));
    bench.settle();
    CHECK(bench.statuses()[1] == Mark::Off);
    bench.session->change(withSwitched(bench.session->draft(), 1, true));
    CHECK(bench.states() == after); // known already
}

TEST_CASE("undo to the start and redo to the end give the same bytes", "[recipe_session]")
{
    const Bench bench;
    std::vector<std::string> seen{bench.shown()};
    for (const RecipeStep& one : recipe(tenSteps)) {
        bench.session->change(
            withItem(bench.session->draft(), bench.session->items().size(), {one, true}));
        bench.settle();
        bench.session->apply(appliedAfterNext(bench.session->draft()));
        bench.settle();
        REQUIRE(bench.statuses().back() == Mark::Applied);
        seen.push_back(bench.shown());
    }
    REQUIRE(seen.size() == 11);
    for (std::size_t i = seen.size(); i-- > 0;) {
        CHECK(bench.shown() == seen[i]);
        bench.session->undo(); // the application
        bench.session->undo(); // the step
        bench.settle();
    }
    CHECK(!bench.session->history().canUndo());
    CHECK(bench.session->shownGraph() == bench.base);
    while (bench.session->history().canRedo())
        bench.session->redo();
    bench.settle();
    CHECK(bench.shown() == seen.back());
}

TEST_CASE("a step that fails keeps the states before it", "[recipe_session]")
{
    const Bench bench;
    bench.load("strip_unused_nodes rename_op remove_device");
    CHECK(bench.statuses() == std::vector{Mark::Applied, Mark::Failed, Mark::Blocked});
    CHECK(bench.states()[1]->fault.find("old_op_name") != std::string::npos);
    CHECK(bench.session->shownGraph() == bench.states()[0]->graph());
    bench.session->change(
        withStep(bench.session->draft(), 1,
                 recipe("rename_op(old_op_name=Relu, new_op_name=Relu6)").front()));
    bench.settle();
    CHECK(bench.statuses() == std::vector(3, Mark::Applied));
}

TEST_CASE("the next step is run beforehand and applied as it was shown", "[recipe_session]")
{
    const Bench bench;
    bench.session->change(
        withRecipe(bench.session->draft(), recipe("remove_identity strip_unused_nodes")));
    bench.settle();
    REQUIRE(nextItem(*bench.session) == 0U);
    const TimelineStatePtr preview = bench.states()[0];
    REQUIRE(preview);
    CHECK(preview->matches() == 2);
    CHECK(bench.session->shownGraph() == bench.base);
    CHECK(bench.states()[1] == nullptr);
    bench.session->apply(appliedAfterNext(bench.session->draft()));
    CHECK(bench.states()[0] == preview);
    bench.settle();
    CHECK(bench.session->shownGraph() == preview->graph());
    CHECK(nextItem(*bench.session) == 1U);
}

TEST_CASE("steps are moved, doubled and taken away", "[recipe_session]")
{
    const Bench bench;
    const auto text = [&] { return printRecipe(recipeOf(bench.session->draft())); };
    bench.load("remove_device strip_unused_nodes clean");
    bench.session->change(withMoved(bench.session->draft(), 0, 2));
    CHECK(text() == "strip_unused_nodes\nclean\nremove_device");
    bench.session->change(withMoved(bench.session->draft(), 2, 1));
    CHECK(text() == "strip_unused_nodes\nremove_device\nclean");
    bench.session->change(withCopy(bench.session->draft(), 1));
    CHECK(text() == "strip_unused_nodes\nremove_device\nremove_device\nclean");
    CHECK(bench.session->applied() == 4);
    bench.session->apply(2);
    bench.session->change(withoutItem(bench.session->draft(), 0));
    CHECK(bench.session->applied() == 1);
    bench.session->change(withMoved(bench.session->draft(), 0, 2));
    CHECK(bench.session->applied() == 0);
    bench.session->change(withMoved(bench.session->draft(), 9, 0));
    bench.session->change(withoutItem(bench.session->draft(), 7));
    CHECK(text() == "remove_device\nclean\nremove_device");
    bench.session->change(withSwitched(bench.session->draft(), 1, false));
    bench.session->change(withRecipe(bench.session->draft(), recipe("remove_device clean")));
    CHECK(bench.session->items()[1].isOn == false);
    CHECK(text() == "remove_device\nclean");
    bench.settle();
}

TEST_CASE("typing is undone as one change", "[recipe_session]")
{
    const Bench bench;
    bench.load("round_weights(num_steps=2)");
    for (const char* typed : {"round_weights(num_steps=25)", "round_weights(num_steps=256)"})
        bench.session->change(withStep(bench.session->draft(), 0, recipe(typed).front()),
                              "num_steps");
    bench.session->undo();
    CHECK(bench.session->items()[0] == step("round_weights(num_steps=2)"));
    bench.settle();
}

TEST_CASE("a branch goes on from the state shown", "[recipe_session]")
{
    const Bench bench;
    bench.load("strip_unused_nodes remove_identity clean");
    const auto states = bench.states();
    bench.session->show(1);
    startBranch(*bench.session);
    CHECK(bench.session->items().size() == 1);
    bench.session->change(withItem(bench.session->draft(), 1, step("remove_device")));
    bench.session->apply(bench.session->items().size());
    bench.settle();
    CHECK(bench.states()[0] == states[0]);
    chooseBranch(*bench.session, 0);
    CHECK(bench.states() == states); // nothing is run again
    bench.settle();
    CHECK(bench.session->shownGraph() == states[2]->graph());
    chooseBranch(*bench.session, 1);
    removeBranch(*bench.session);
    CHECK(bench.session->history().branchCount() == 1);
    bench.settle();
}

TEST_CASE("states are compared with the original, each once", "[recipe_session]")
{
    Bench bench;
    const auto verify = [&bench](const GraphPtr& original, const GraphPtr& state, const RecipeEnds&,
                                 const Job&) -> Result<Verification> {
        ++bench.verified;
        CHECK(original == bench.base);
        if (state->size() == 8)
            return Error{ErrorCode::Unsupported, "there is no kernel"};
        Verification found;
        found.pairs.push_back({"b:0", "b:0", false, false, false, {}, Grade::Same, {}});
        found.pairs.push_back({"y:0", "y:0", true, false, false, {}, Grade::Same, {}});
        found.pairs[0].agreement.maxAbs = 2;
        found.pairs[1].agreement.magnitude = 4;
        found.pairs[1].agreement.maxAbs = 0.5;
        found.firstAbove = 0;
        return found;
    };
    bench.session->setBase(bench.base, verify);
    bench.load("strip_unused_nodes remove_device remove_identity");
    CHECK(bench.verified == 2); // remove_device changes nothing
    const auto verdict = [&](std::size_t i) {
        return bench.session->verdicts().of(*bench.states()[i]);
    };
    CHECK(verdict(0).kind == Verdict::Kind::Unknown);
    CHECK(verdict(1) == verdict(0));
    CHECK(verdict(2).kind == Verdict::Kind::Differs);
    CHECK(verdict(2).maxAbs == 0.5);
    CHECK(verdict(2).maxRel == 0.125);
    CHECK(verdict(2).first == "b:0");
    bench.session->undo();
    bench.session->redo();
    bench.settle();
    CHECK(bench.verified == 2);
}

TEST_CASE("a card says why 8 bits lose much, and that they do not pay", "[recipe_session]")
{
    std::vector<float> values(16);
    std::iota(values.begin(), values.end(), -7.5F);
    const GraphPtr sketch = graph("x = Placeholder()\nw = Const()\ny = MatMul(x, w)\n");
    Graph::Parts parts;
    parts.nodes.assign(sketch->nodes().begin(), sketch->nodes().end());
    parts.nodes[1] = floatConst("w", {4, 4}, values).finish();
    Bench bench;
    bench.base = typed(Graph::make(std::move(parts)));
    bench.session->setBase(
        bench.base,
        [](const GraphPtr&, const GraphPtr&, const RecipeEnds&,
           const Job&) -> Result<Verification> {
            Verification found;
            found.pairs.push_back({"y:0", "y:0", true, false, false, {}, Grade::Broken, {}});
            found.pairs[0].agreement.sqnrDb = 3;
            found.pairs[0].agreement.maxAbs = 1;
            found.firstAbove = 0;
            return found;
        });
    bench.session->setEnds({{"x"}, {"y"}});
    bench.load("quantize_weights(minimum_size=1)");
    const auto entries = timelineEntries(*bench.session);
    REQUIRE(entries.size() == 2);
    CHECK(entries[0].help.indexOf(u"8 bits") < 0);
    INFO(entries[1].help.toStdString());
    CHECK(entries[1].help.contains(
        u"The reason: per-tensor weights of 1 layer: use arm-8bit-accurate."));
    CHECK(entries[1].help.contains(u"8 bits do not pay off: the file grows from "));
    CHECK(entries[1].facts.endsWith(u"grows"));
}

TEST_CASE("another original and other ends run the recipe again", "[recipe_session]")
{
    const Bench bench;
    bench.load("strip_unused_nodes");
    const auto first = bench.states();
    bench.session->setEnds({{"x"}, {"c"}});
    bench.settle();
    CHECK(bench.states()[0]->graph()->size() == 4);
    bench.session->setEnds({{"x"}, {"y"}});
    CHECK(bench.states() == first);
    bench.session->setBase(graph("x = Placeholder()\ny = Relu(x)\nz = Neg(x)"), {});
    bench.settle();
    CHECK(bench.states()[0] == nullptr); // its inputs and outputs are not known yet
    bench.session->setEnds({{"x"}, {"y"}});
    bench.settle();
    CHECK(bench.states()[0]->graph()->size() == 2);
    CHECK(bench.session->shownGraph()->size() == 2);
}
