// SPDX-License-Identifier: Apache-2.0
#include "runner/shapes/infer_shapes.h"
#include "tests/catch.h"
#include "tests/views/layout/scene_testing.h"
#include "views/strip/stage_marks.h"
#include "views/strip/strip_layout.h"

#include <algorithm>
#include <string>

using namespace lapidary;
using lapidary::testing::viewOf;

namespace {

struct Found {
    GraphPtr graph;
    testing::TestView view;
    StagesPtr stages;

    std::string names() const
    {
        std::string text;
        for (const Stage& stage : stages->row) {
            text += text.empty() ? "" : " ";
            text += stage.kind == Stage::Kind::Work ? stage.name : "(" + stage.name + ")";
            text += stage.repeats > 1 ? "*" + std::to_string(stage.repeats) : "";
        }
        return text;
    }
    const Stage& at(const std::string& name) const
    {
        const auto found = std::ranges::find(stages->row, name, &Stage::name);
        REQUIRE(found != stages->row.end());
        return *found;
    }
    std::int32_t stageOf(const char* node) const { return stages->ofNode[graph->find(node).value]; }
};

// Builds a network node by node.
class Net {
public:
    explicit Net(int width) { add("x", "Placeholder", {}, {-1, width}); }

    void add(const std::string& name, const std::string& op, std::vector<std::string> inputs,
             std::vector<std::int64_t> shape = {})
    {
        NodeDraft draft;
        draft.name = name;
        draft.op = op;
        draft.inputs = std::move(inputs);
        draft.attrs.emplace_back("T", attr::fromType(DType::Float));
        draft.attrs.emplace_back("dtype", attr::fromType(DType::Float));
        if (!shape.empty())
            draft.attrs.emplace_back("shape", attr::fromShape({std::move(shape), false}));
        m_nodes.push_back(draft.finish());
    }
    // Adds a product with `in` × `out` weights and an activation; returns its result.
    std::string layer(const std::string& scope, const std::string& from, int in, int out,
                      const std::string& activation = "Relu")
    {
        add(scope + "/w", "VariableV2", {}, {in, out});
        add(scope + "/read", "Identity", {scope + "/w"});
        add(scope + "/MatMul", "MatMul", {from, scope + "/read"});
        add(scope + "/act", activation, {scope + "/MatMul"});
        return scope + "/act";
    }
    GraphPtr graph() const
    {
        Graph::Parts parts;
        parts.nodes = m_nodes;
        return Graph::make(std::move(parts));
    }

private:
    std::vector<NodePtr> m_nodes;
};

Found find(const Net& net, const std::vector<std::string>& inputs,
           const std::vector<std::string>& outputs, bool hasParts = false)
{
    Found found;
    found.graph = net.graph();
    const auto nodes = [&](const std::vector<std::string>& names) {
        std::vector<NodeId> ids;
        for (const std::string& name : names)
            ids.push_back(found.graph->find(name));
        return ids;
    };
    const std::vector<NodeId> from = nodes(inputs);
    const std::vector<NodeId> to = nodes(outputs);
    ScopeOptions scopes;
    if (hasParts)
        scopes.parts = std::make_shared<const NodeParts>(nodeParts(*found.graph, to));
    found.view = viewOf(found.graph, scopes);
    const auto shapes = inferShapes(*found.graph, {}, Job{});
    REQUIRE(shapes.ok());
    const DescribeEdge describe = [&](const Graph& g, Endpoint tensor) {
        const Shape shape = knownTensor(g, &*shapes, tensor).shape;
        return EdgeFace{shape.unknownRank ? "" : shapeLabel(shape), 0, false};
    };
    const auto stages = findStages({*found.view.preparation, from, to, &*shapes, describe}, Job{});
    REQUIRE(stages.ok());
    found.stages = *stages;
    return found;
}

} // namespace

TEST_CASE("the stages of a network are in the order of the data, between input and output",
          "[strip]")
{
    Net net(8); // their names are in another order
    const std::string first = net.layer("c", "x", 8, 16);
    const std::string second = net.layer("b", first, 16, 8, "Tanh");
    const std::string third = net.layer("a", second, 8, 4);
    net.add("out", "Softmax", {third});
    const Found found = find(net, {"x"}, {"out"});
    CHECK(found.names() == "(x) c b a (out)");
    CHECK(found.stages->workCount() == 3);
    CHECK(found.stages->measure == Stages::Measure::Flops);
    const Stage& c = found.at("c");
    CHECK(c.item == ItemId::of(found.view.tree().find("c")));
    CHECK(c.ops == 4);
    CHECK(c.weights == 128);
    CHECK(c.flops == 256); // of one example
    CHECK(c.shape == "?×16");
    CHECK(c.share == Approx(128.0 / (128 + 128 + 32)));
    CHECK(found.stages->row.front().shape == "?×8");
    CHECK(found.stages->row.back().shape == "?×4");
    CHECK(found.stageOf("b/read") == 2);
    CHECK(found.stageOf("x") == 0);
    CHECK(found.stages->find(*found.view.preparation, c.item) == 1);
    CHECK(found.stages->find(*found.view.preparation, ItemId::of(rootGroup)) == -1);
}

TEST_CASE("a scope that holds most of a network is replaced by its content", "[strip]")
{
    Net net(8);
    std::string at = net.layer("stem", "x", 8, 8);
    at = net.layer("net/body/a", at, 8, 64);
    at = net.layer("net/body/b", at, 64, 64, "Tanh");
    at = net.layer("net/body/c", at, 64, 32, "Elu");
    at = net.layer("net/head", at, 32, 8);
    net.add("out", "Softmax", {at});
    CHECK(find(net, {"x"}, {"out"}).names() == "(x) stem a b c head (out)");
}

TEST_CASE("equal neighbors are one stage", "[strip]")
{
    Net net(8);
    std::string at = net.layer("stem", "x", 8, 8, "Tanh");
    for (int i = 0; i < 12; ++i)
        at = net.layer("layer_" + std::to_string(i), at, 8, 8);
    at = net.layer("wide", at, 8, 16);
    net.add("out", "Softmax", {at});
    const Found found = find(net, {"x"}, {"out"});
    INFO(found.names());
    REQUIRE(found.stages->workCount() == 3);
    const Stage& layers = found.stages->row[2];
    CHECK(layers.repeats == 12);
    CHECK(layers.weights == 12 * 64);
    CHECK(layers.name.find("0…11") != std::string::npos);
    CHECK(found.stageOf("layer_11/w") == 2);
}

TEST_CASE("the steps of an unrolled network make a strip, and so does what it looks up", "[strip]")
{
    Net net(8);
    std::string at = "x";
    for (int i = 0; i < 4; ++i)
        at = net.layer("rnn/cell_" + std::to_string(i), at, 8, 8, "Tanh");
    net.add("out", "Softmax", {net.layer("head", at, 8, 4)});
    CHECK(find(net, {"x"}, {"out"}).names() == "(x) rnn*4 head (out)");

    Net words(8);
    words.add("table", "VariableV2", {}, {100, 8});
    words.add("table/read", "Identity", {"table"});
    words.add("embed", "Gather", {"table/read", "x"});
    const std::string first = words.layer("a", "embed", 8, 8);
    words.add("out", "Softmax", {words.layer("b", first, 8, 4)});
    CHECK(find(words, {"x"}, {"out"}).names() == "(x) embed a b (out)");
}

TEST_CASE("single ops that do little join the stage before them", "[strip]")
{
    Net net(8);
    std::string at = net.layer("a", "x", 8, 16);
    net.add("between", "Sigmoid", {at});
    at = net.layer("b", "between", 16, 8);
    at = net.layer("c", at, 8, 8);
    net.add("out", "Softmax", {at});
    const Found found = find(net, {"x"}, {"out"});
    CHECK(found.names() == "(x) a b c (out)");
    CHECK(found.stageOf("between") == 1);
    CHECK(found.at("a").ops == 5);
}

TEST_CASE("a group that only moves values joins the stage before it", "[strip]")
{
    Net net(8);
    std::string at = net.layer("a", "x", 8, 16);
    net.add("flat/one", "Squeeze", {at});
    net.add("flat/two", "Identity", {"flat/one"});
    net.add("flat/three", "Squeeze", {"flat/two"});
    at = net.layer("b", "flat/three", 16, 8);
    at = net.layer("c", at, 8, 8);
    net.add("out", "Softmax", {at});
    const Found found = find(net, {"x"}, {"out"});
    CHECK(found.names() == "(x) a b c (out)");
    CHECK(found.stageOf("flat/three") == 1);
}

TEST_CASE("nodes for training are not a stage", "[strip]")
{
    Net net(8);
    std::string at = net.layer("a", "x", 8, 16);
    at = net.layer("b", at, 16, 8, "Tanh");
    at = net.layer("c", at, 8, 4);
    net.add("out", "Softmax", {at});
    net.add("gradients/seed", "Const", {});
    net.add("gradients/c", "ReluGrad", {"gradients/seed", "c/act"});
    net.add("gradients/cw", "MatMul", {"b/act", "gradients/c"});
    net.add("train/rate", "Const", {});
    net.add("train/c", "ApplyGradientDescent", {"c/w", "train/rate", "gradients/cw"});
    for (const bool hasParts : {false, true}) {
        const Found found = find(net, {"x"}, {"out"}, hasParts);
        CHECK(found.names() == "(x) a b c (out)");
        CHECK(found.stageOf("gradients/cw") == -1);
    }
}

TEST_CASE("a network of few parts has no strip", "[strip]")
{
    Net net(8);
    net.add("out", "Softmax", {net.layer("a", "x", 8, 8)});
    CHECK(find(net, {"x"}, {"out"}).stages->row.empty());
    CHECK(find(Net(8), {}, {}).stages->row.empty());
}

TEST_CASE("a network without known ends has its stages", "[strip]")
{
    Net net(8);
    std::string at = net.layer("a", "x", 8, 16);
    at = net.layer("b", at, 16, 8, "Tanh");
    net.layer("c", at, 8, 4);
    CHECK(find(net, {}, {}).names() == "a b c");
    CHECK(find(net, {}, {"c/act"}).names() == "a b c (act)");
}

TEST_CASE("a row divides all of its width by need and by share", "[strip]")
{
    std::vector<CellWish> wishes(5, {.name = 40});
    wishes[0] = wishes[4] = {.name = 60, .isEnd = true};
    wishes[1].share = 0.1;
    wishes[2].share = 0.6;
    wishes[3].share = 0.3;
    const auto cells = layOutStrip(wishes, 80, 800);
    REQUIRE(cells.size() == 5);
    CHECK(cells[0].width == 60);
    CHECK(cells[2].width > 1.8 * cells[3].width);
    CHECK(cells[3].width > 1.8 * cells[1].width);
    CHECK(cells[4].x + cells[4].width <= 800);
    CHECK(cells[4].x + cells[4].width > 790);
    for (std::size_t i = 1; i < cells.size(); ++i)
        CHECK(cells[i].x == cells[i - 1].x + cells[i - 1].width + cellGap);
}

TEST_CASE("stages without space are one cell, those of the least share", "[strip]")
{
    std::vector<CellWish> wishes(30, {.name = 100, .more = 90, .share = 0.02});
    wishes[3].share = 0.3;
    wishes.front().isEnd = wishes.back().isEnd = true;
    for (int room = 3000; room > 300; room -= 37) {
        const auto cells = layOutStrip(wishes, 80, room);
        INFO(room << " pixels, " << cells.size() << " cells");
        CHECK(cells.back().x + cells.back().width <= room);
        std::size_t next = 0;
        for (const StripCell& cell : cells) {
            CHECK(cell.first == next);
            next += cell.count;
            CHECK((cell.width >= 64 || room < 450));
            CHECK((!cell.isRest() || !cell.holds(3) || room < 900));
        }
        CHECK(next == wishes.size());
    }
}

TEST_CASE("a stage has the color that its items share, and the sum of what they took", "[strip]")
{
    const ItemId a = ItemId::of(NodeId{0});
    const ItemId b = ItemId::of(NodeId{1});
    Stage stage;
    stage.items = {a, b};
    CHECK(!colorOfStage(stage, nullptr));
    auto classes = std::make_shared<Coloring>();
    classes->classOf = {{a, 2}, {b, 2}};
    CHECK(colorOfStage(stage, classes)->ofClass == 2);
    classes->classOf[b] = 3;
    CHECK(!colorOfStage(stage, classes)->ofClass);
    auto overlay = std::make_shared<Coloring>();
    overlay->overlay =
        std::make_shared<OverlayFaces>(OverlayFaces{{a, {1, "1 ms"}}, {b, {9, "9 ms"}}});
    overlay->scale = {0.1, 10};
    CHECK(colorOfStage(stage, overlay)->position == overlay->scale.position(10));
}

TEST_CASE("hits are counted at the stages that hold them", "[strip]")
{
    Stages stages;
    stages.row.resize(2);
    stages.ofNode = {-1, 1, 1, 0};
    std::vector<StageMarks> marks(2);
    const std::vector<NodeId> hits{{0}, {1}, {2}, {9}};
    countHits(marks, stages, hits, NodeId{2});
    CHECK(marks[0].hits == 0);
    CHECK(marks[1].hits == 2);
    CHECK(marks[1].isCurrentHit);
    CHECK(!marks[0].isCurrentHit);
}
