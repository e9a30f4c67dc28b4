// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_value.h"
#include "graph_model/graph/node_maker.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/read/model_file.h"
#include "graph_model/scopes/loop_turns.h"
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/graph_testing.h"
#include "tests/shared_data.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace lapidary {
namespace {

// Every Enter belongs to the frame of its first scope; those called "keep" stay the same in all
// turns.
GraphPtr loopGraph(std::string_view text)
{
    const GraphPtr plain = graph(text);
    NodeMaker maker;
    for (const NodePtr& node : plain->nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        if (isEnter(node->op())) {
            const std::string name(node->name());
            draft.setAttr("frame_name", attr::fromString(name.substr(0, name.rfind('/'))));
            draft.setAttr("is_constant", attr::fromBool(name.find("keep") != std::string::npos));
        }
        maker.add(draft);
    }
    Graph::Parts parts;
    parts.nodes = std::move(maker).finish();
    return Graph::make(std::move(parts));
}

constexpr std::string_view countingLoop = R"(limit = Placeholder()
x = Placeholder()
time = Const()
while/Enter = Enter(time)
while/Enter_1 = Enter(x)
while/Merge = Merge(while/Enter, while/NextIteration)
while/Merge_1 = Merge(while/Enter_1, while/NextIteration_1)
while/keep = Enter(limit)
while/Less = Less(while/Merge, while/keep)
while/LoopCond = LoopCond(while/Less)
while/Switch = Switch(while/Merge, while/LoopCond)
while/Switch_1 = Switch(while/Merge_1, while/LoopCond)
while/Identity = Identity(while/Switch:1)
while/Identity_1 = Identity(while/Switch_1:1)
while/add/y = Const(^while/Identity)
while/add = Add(while/Identity, while/add/y)
while/cell/Relu = Relu(while/Identity_1)
while/cell/Tanh = Tanh(while/cell/Relu)
while/NextIteration = NextIteration(while/add)
while/NextIteration_1 = NextIteration(while/cell/Tanh)
while/Exit_1 = Exit(while/Switch_1)
while/late = Relu(while/Exit_1)
y = Neg(while/late))";

PrepareOptions plumbing()
{
    PrepareOptions options;
    options.loops = false;
    return options;
}

PrepareOptions keptApart(NodeId id)
{
    PrepareOptions options;
    options.pinned = {id};
    return options;
}

std::vector<std::filesystem::path> modelFiles()
{
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const char* folder : {"models", "goldens/formats"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(sharedData() / folder, error)) {
            const std::string extension = entry.path().extension().string();
            if (entry.is_regular_file() && (extension == ".pb" || extension == ".pbtxt" ||
                                            extension == ".meta" || extension == ".txt"))
                files.push_back(entry.path());
        }
    std::ranges::sort(files);
    return files;
}

NodeId named(const Graph& graph, std::string_view name)
{
    const NodeId id = graph.find(name);
    REQUIRE(id.isValid());
    return id;
}

std::string shownName(const Preparation& made, std::string_view name)
{
    const ItemId item = made.shownBy(named(made.graph(), name));
    return std::string(made.graph().node(item.node()).name());
}

using EdgeCounts = std::map<std::pair<std::uint32_t, std::uint32_t>, int>;

EdgeCounts edgesOf(const Preparation& made)
{
    EdgeCounts counts;
    for (std::uint32_t g = 0; g < made.tree().size(); ++g)
        for (const PreparedEdge& edge : made.scope(GroupId{g}).edges)
            if (edge.from >= 0 && edge.to >= 0)
                for (const GraphEdge& carried : edge.edges)
                    ++counts[{carried.reader.value, carried.slot}];
    return counts;
}

} // namespace

TEST_CASE("a loop is one group, and what carries its values is on its frame", "[scopes][loops]")
{
    const GraphPtr g = loopGraph(countingLoop);
    const PreparationPtr made = prepare(g);
    checkTree(*g, made->tree());
    checkEdges(*made);
    const GroupId loop = made->tree().find("while");
    REQUIRE(loop.isValid());
    REQUIRE(made->tree().group(loop).loop == 0);
    CHECK(made->tree().parentOf(named(*g, "while/late")) == rootGroup);
    for (const char* carrier : {"Enter_1", "Switch_1", "Identity_1"})
        CHECK(shownName(*made, std::string("while/") + carrier) == "while/Merge_1");
    CHECK(shownName(*made, "while/Exit_1") == "while/NextIteration_1");
    CHECK(shownName(*made, "while/LoopCond") == "while/Less");
    CHECK(shownName(*made, "while/keep") == "while/Less");
    CHECK(made->port(named(*g, "while/Merge"))->name == "time");
    CHECK(made->port(named(*g, "while/Merge_1"))->name == "x");
    CHECK(made->port(named(*g, "while/NextIteration_1"))->kind == LoopPort::Kind::Next);
    CHECK(made->port(named(*g, "while/cell/Relu")) == nullptr);
    REQUIRE(made->hidden(named(*g, "while/Switch")) != nullptr);
    CHECK(made->hidden(named(*g, "while/Switch"))->rule.find("while/Merge") != std::string::npos);
}

TEST_CASE("a value that only goes around a loop is drawn on its condition", "[scopes][loops]")
{
    const std::string ring = "\nmost = Const()\n"
                             "while/Enter_2 = Enter(most)\n"
                             "while/Merge_2 = Merge(while/Enter_2, while/NextIteration_2)\n"
                             "while/Switch_2 = Switch(while/Merge_2, while/LoopCond)\n"
                             "while/Identity_2 = Identity(while/Switch_2:1)\n"
                             "while/NextIteration_2 = NextIteration(while/Identity_2)\n";
    const std::string loop = std::string(countingLoop) + ring;
    const PreparationPtr unread = prepare(loopGraph(loop));
    checkEdges(*unread);
    for (const char* name : {"while/Enter_2", "while/Merge_2", "while/NextIteration_2"})
        CHECK(shownName(*unread, name) == "while/Less");
    CHECK(unread->port(named(unread->graph(), "while/Merge_2")) == nullptr);
    for (const char* reader : {"while/twice = Neg(while/Identity_2)\n",
                               "while/Exit_2 = Exit(while/Switch_2)\nz = Neg(while/Exit_2)\n"}) {
        const PreparationPtr read = prepare(loopGraph(loop + reader));
        CHECK(shownName(*read, "while/Enter_2") == "while/Merge_2");
    }
}

TEST_CASE("in a folded loop only the lines back go back, and no gate is a line", "[scopes][loops]")
{
    const GraphPtr g = loopGraph(countingLoop);
    const PreparationPtr made = prepare(g);
    const PreparedScope loop = made->scope(made->tree().find("while"));
    const auto nameOf = [&](std::int32_t item) {
        const ItemId id = loop.items[std::size_t(item)].item;
        return std::string(id.isNode() ? g->node(id.node()).name()
                                       : std::string_view(made->tree().group(id.group()).path));
    };
    std::set<std::string> lines;
    for (const PreparedEdge& edge : loop.edges)
        if (edge.from >= 0 && edge.to >= 0 && !edge.isInner)
            lines.insert(nameOf(edge.from) + (edge.isBack ? " back to " : " to ") +
                         nameOf(edge.to));
    CHECK(lines == std::set<std::string>{"while/Merge to while/Less", "while/Merge to while/add",
                                         "while/add to while/NextIteration",
                                         "while/NextIteration back to while/Merge",
                                         "while/Merge_1 to while/cell",
                                         "while/cell to while/NextIteration_1",
                                         "while/NextIteration_1 back to while/Merge_1"});
}

TEST_CASE("the plumbing of a loop can be shown node by node", "[scopes][loops]")
{
    const GraphPtr g = loopGraph(countingLoop);
    const PreparationPtr made = prepare(g, plumbing());
    checkEdges(*made);
    for (const NodeId id :
         {named(*g, "while/Switch"), named(*g, "while/Exit_1"), named(*g, "while/LoopCond")})
        CHECK(made->shownBy(id) == ItemId::of(id));
    CHECK(made->port(named(*g, "while/Merge")) == nullptr);
    CHECK(edgesOf(*made) == edgesOf(*prepare(g)));
}

TEST_CASE("a node that the user keeps apart stays so in a loop", "[scopes][loops]")
{
    const GraphPtr g = loopGraph(countingLoop);
    const NodeId gate = named(*g, "while/Switch_1");
    const PreparationPtr made = prepare(g, keptApart(gate));
    CHECK(made->shownBy(gate) == ItemId::of(gate));
    checkEdges(*made);
}

TEST_CASE("the turns of a loop are counted where its numbers are known", "[scopes][loops]")
{
    const GraphPtr g = loopGraph(countingLoop);
    const ScopeTreePtr tree = scopes(g);
    REQUIRE(tree->loops() != nullptr);
    const DrawnLoop& frame = tree->loops()->frames[0];
    std::map<std::string, std::int64_t> numbers;
    const KnownNumber number = [&](Endpoint from) -> std::optional<std::int64_t> {
        const auto known = numbers.find(std::string(g->node(from.node).name()));
        return known == numbers.end() ? std::nullopt : std::optional(known->second);
    };
    CHECK(loopEnd(frame, number) == "time ≥ limit");
    CHECK_FALSE(loopTurns(frame, number).has_value());
    struct Case {
        std::int64_t start, step, limit, turns;
    };
    for (const Case& c : {Case{0, 1, 25, 25},
                          {0, 2, 25, 13},
                          {3, 1, 4, 1},
                          {5, 1, 5, 0},
                          {9, 1, 5, 0},
                          {-4, 3, 5, 3}}) {
        numbers = {{"while/Enter", c.start}, {"while/add/y", c.step}, {"while/keep", c.limit}};
        const auto turns = loopTurns(frame, number);
        REQUIRE(turns.has_value());
        CHECK(turns->count == c.turns);
        CHECK_FALSE(turns->isMost);
    }
    CHECK(loopEnd(frame, number) == "time ≥ 5");
    numbers["while/add/y"] = 0; // an endless loop
    numbers["while/Enter"] = 0;
    CHECK_FALSE(loopTurns(frame, number).has_value());
}

TEST_CASE("a reason that may come before makes a number of turns the most", "[scopes][loops]")
{
    DrawnLoop frame;
    LoopStop counted{"i", "≤", "end", {NodeId{0}, 0}, {NodeId{1}, 0}, {NodeId{2}, 0}, true};
    frame.stops = {counted, {"all finished", {}, {}, {}, {}, {}, false}};
    const KnownNumber number = [](Endpoint from) -> std::optional<std::int64_t> {
        return from.node.value == 1 ? 10 : from.node.value == 2 ? 3 : 0; // 10, 7, 4, 1, -2
    };
    CHECK(loopEnd(frame, number) == "i ≤ 0 or all finished");
    REQUIRE(loopTurns(frame, number).has_value());
    CHECK(loopTurns(frame, number)->count == 4);
    CHECK(loopTurns(frame, number)->isMost);
}

TEST_CASE("a loop in a loop is a group in its group", "[scopes][loops]")
{
    std::string text(countingLoop);
    // The body of the loop turns a value of its own.
    const std::string inner = R"(
while/in/Enter = Enter(while/cell/Relu)
while/in/Merge = Merge(while/in/Enter, while/in/NextIteration)
while/in/Cond = Less(while/in/Merge, while/in/Merge)
while/in/LoopCond = LoopCond(while/in/Cond)
while/in/Switch = Switch(while/in/Merge, while/in/LoopCond)
while/in/Identity = Identity(while/in/Switch:1)
while/in/Exp = Exp(while/in/Identity)
while/in/NextIteration = NextIteration(while/in/Exp)
while/in/Exit = Exit(while/in/Switch)
while/after = Sin(while/in/Exit))";
    const GraphPtr g = loopGraph(text + inner);
    const PreparationPtr made = prepare(g);
    checkTree(*g, made->tree());
    checkEdges(*made);
    const GroupId outer = made->tree().find("while");
    const GroupId within = made->tree().find("while/in");
    REQUIRE(within.isValid());
    CHECK(made->tree().group(within).parent == outer);
    CHECK(made->tree().loops()->frames[made->tree().group(within).loop].parent ==
          made->tree().group(outer).loop);
    CHECK(made->tree().parentOf(named(*g, "while/after")) == outer);
}

TEST_CASE("the two sides of a conditional are groups under its predicate", "[scopes][loops]")
{
    const GraphPtr g = graph(R"(x = Placeholder()
is_open = Placeholder()
cond/Switch = Switch(is_open, is_open)
cond/switch_t = Identity(cond/Switch:1)
cond/pred_id = Identity(is_open)
cond/a/Switch = Switch(x, cond/pred_id)
cond/a = Relu(cond/a/Switch:1)
cond/b = Tanh(cond/a)
cond/two = Const(^cond/switch_t)
cond/c = Add(cond/b, cond/two)
cond/d/Switch = Switch(x, cond/pred_id)
cond/d = Neg(cond/d/Switch)
cond/e = Exp(cond/d)
cond/Merge = Merge(cond/e, cond/c)
y = Sin(cond/Merge))");
    const PreparationPtr made = prepare(g);
    checkTree(*g, made->tree());
    checkEdges(*made);
    const ScopeTree& tree = made->tree();
    CHECK(tree.group(tree.find("cond")).says == "if is_open");
    CHECK(tree.group(tree.parentOf(named(*g, "cond/b"))).path == "cond/true");
    CHECK(tree.group(tree.parentOf(named(*g, "cond/e"))).path == "cond/false");
    CHECK(tree.group(tree.parentOf(named(*g, "cond/Merge"))).path == "cond");
    CHECK(shownName(*made, "cond/a/Switch") == "cond/a");
    CHECK(shownName(*made, "cond/d/Switch") == "cond/d");
    CHECK(edgesOf(*prepare(g, plumbing())) == edgesOf(*made));
}

TEST_CASE("a predicate that is drawn on its test is not a circle", "[scopes][loops]")
{
    for (const std::string predicate :
         {"is_open = Const()", "v = VariableV2()\nis_open = Identity(v)", "is_open = VariableV2()",
          "s = Shape(x)\nis_open = Equal(s, s)"}) {
        for (const std::string test : {"test = Identity(is_open)\n", ""}) {
            INFO(predicate << ' ' << test);
            const std::string read = test.empty() ? "is_open" : "test";
            const GraphPtr g = graph("x = Placeholder()\n" + predicate + "\n" + test +
                                     "a/Switch = Switch(x, " + read +
                                     ")\n"
                                     "t/Switch = Switch(is_open, is_open)\n"
                                     "t = Identity(t/Switch:1)\n"
                                     "a = Relu(a/Switch:1)\n"
                                     "d = Neg(a/Switch)\n"
                                     "m = Merge(d, a)\n"
                                     "y = Sin(m)");
            const PreparationPtr made = prepare(g);
            checkTree(*g, made->tree());
            checkEdges(*made);
        }
    }
}

TEST_CASE("loops of all models have the same edges folded and not", "[scopes][loops][models]")
{
    std::size_t loops = 0;
    std::size_t conditionals = 0;
    for (const std::filesystem::path& path : modelFiles()) {
        INFO(path);
        const auto file = readModel(path, Job(), {.check = false});
        if (!file)
            continue;
        for (const GraphEntry& one : file->graphs) {
            const bool hasControl =
                one.graph && one.graph->size() < 20'000 &&
                std::ranges::any_of(one.graph->nodes(), [](const NodePtr& node) {
                    return isLoopCond(node->op()) || isSwitch(node->op());
                });
            if (!hasControl)
                continue;
            ScopeOptions options;
            options.parts = std::make_shared<NodeParts>(nodeParts(*one.graph, {}));
            const PreparationPtr folded = prepare(one.graph, {}, options);
            const PreparationPtr raw = prepare(one.graph, plumbing(), options);
            loops += folded->tree().loops() ? folded->tree().loops()->frames.size() : 0;
            conditionals +=
                folded->tree().branches() ? folded->tree().branches()->conditionals.size() : 0;
            checkTree(*one.graph, folded->tree());
            checkEdges(*folded);
            checkEdges(*raw);
            CHECK(edgesOf(*folded) == edgesOf(*raw));
        }
    }
    if (loops == 0)
        WARN("no recorded models: set LAPIDARY_SHARED");
    CAPTURE(loops, conditionals);
    CHECK((loops == 0 || conditionals > 0));
}

} // namespace lapidary
