// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/local_name.h"
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/graph_testing.h"

#include <algorithm>

namespace lapidary {
namespace {

// Two layers with their training; the same scopes hold layers and what initializes them.
const char* const training = R"(
    in/x = Placeholder()
    a/w = VariableV2()
    a/init = Const()
    a/Assign = Assign(a/w, a/init)
    a/read = Identity(a/w)
    a/MatMul = MatMul(in/x, a/read)
    a/Relu = Relu(a/MatMul)
    b/w = VariableV2()
    b/init = Const()
    b/Assign = Assign(b/w, b/init)
    b/read = Identity(b/w)
    b/MatMul = MatMul(a/Relu, b/read)
    b/Tanh = Tanh(b/MatMul)
    out/y = Softmax(b/Tanh)
    gradients/seed = Const()
    gradients/b = TanhGrad(b/Tanh, gradients/seed)
    gradients/bw = MatMul(a/Relu, gradients/b)
    gradients/a = ReluGrad(gradients/b, a/Relu)
    gradients/aw = MatMul(in/x, gradients/a)
    train/rate = Const()
    train/a = ApplyGradientDescent(a/w, train/rate, gradients/aw)
    train/b = ApplyGradientDescent(b/w, train/rate, gradients/bw)
    save/file = Const()
    save/names = Const()
    save/slices = Const()
    save/save = SaveV2(save/file, save/names, save/slices, a/w, b/w)
    save/init = NoOp(^a/Assign, ^b/Assign)
)";

ScopeOptions apart(const GraphPtr& graph)
{
    ScopeOptions options;
    options.parts = std::make_shared<const NodeParts>(nodeParts(*graph, {}));
    return options;
}

} // namespace

TEST_CASE("a signal that a branch has run is drawn with the node that waits for it", "[scopes]")
{
    // A batch norm's condition as it is left once its branches were emptied.
    const std::string signals = R"(
    phase = Placeholder()
    which = Switch(phase, phase)
    f = Identity(which)
    t = Identity(which:1)
    off = Const(^f)
    on = Const(^t)
    ran = Merge(on, off)
    )";
    const GraphPtr g = graph(signals + training + "train/all = NoOp(^train/a, ^train/b, ^ran)\n");
    const NodeParts parts = nodeParts(*g, {});
    for (const char* name : {"on", "off", "ran"})
        CHECK(parts.of[g->find(name).value] == Part::Optimizer);
}

TEST_CASE("side parts are one group for each purpose, last at the root", "[scopes]")
{
    const GraphPtr g = graph(training);
    const ScopeTreePtr tree = scopes(g, apart(g));
    checkTree(*g, *tree);
    checkEdges(*prepare(g, {}, apart(g)));
    std::vector<std::string> names;
    for (const ItemId child : tree->group(rootGroup).children)
        if (!child.isNode())
            names.push_back(tree->group(child.group()).name);
    CHECK(names ==
          std::vector<std::string>{"a", "b", "gradients", "optimizer", "save and initialize"});
    const GroupId gradients = tree->find("#gradients");
    REQUIRE(gradients.isValid());
    CHECK(tree->isPart(ItemId::of(gradients)));
    CHECK(tree->group(gradients).nodeCount == 5);
    CHECK(tree->parts() != nullptr);
}

TEST_CASE("the network's scope keeps the plain path", "[scopes]")
{
    const GraphPtr g = graph(training);
    const ScopeTreePtr tree = scopes(g, apart(g));
    const GroupId a = tree->find("a");
    REQUIRE(a.isValid());
    CHECK(tree->childOf(a, ItemId::of(g->find("a/MatMul"))).isValid());
    CHECK_FALSE(tree->childOf(a, ItemId::of(g->find("a/Assign"))).isValid());
    CHECK(localName(*tree, *g, g->find("a/MatMul")) == "MatMul");
}

TEST_CASE("a weight is drawn on its layer, though it is saved and trained", "[scopes]")
{
    const GraphPtr g = graph(training);
    const PreparationPtr plain = prepare(g);
    CHECK(plain->shownBy(g->find("a/w")) == ItemId::of(g->find("a/w")));
    const PreparationPtr divided = prepare(g, {}, apart(g));
    CHECK(divided->shownBy(g->find("a/w")) == ItemId::of(g->find("a/MatMul")));
    REQUIRE(divided->hidden(g->find("a/w")) != nullptr);
}

TEST_CASE("a part that the user took apart is drawn among the network", "[scopes]")
{
    const GraphPtr g = graph(training);
    ScopeOptions options = apart(g);
    options.ungrouped = {"#gradients"};
    const ScopeTreePtr tree = scopes(g, options);
    checkTree(*g, *tree);
    CHECK_FALSE(tree->find("#gradients").isValid());
    CHECK(tree->group(tree->find("gradients")).parent == rootGroup);
}

TEST_CASE("inputs and outputs of the model are at the root", "[scopes]")
{
    const GraphPtr g = graph(R"(net/x = Placeholder()
                                net/a = Relu(net/x)
                                net/b = Abs(net/a)
                                net/y = Neg(net/b)
                                net/c = Exp(net/b))");
    ScopeOptions options;
    options.raised = {g->find("net/x"), g->find("net/b"), g->find("net/y")};
    const ScopeTreePtr tree = scopes(g, options);
    checkTree(*g, *tree);
    CHECK(printScopes(*g, *tree) == "net/x, net{net/a, net/b, net/c}, net/y");
    CHECK(localName(*tree, *g, g->find("net/y")) == "net/y");
}

TEST_CASE("a result that is only chosen from comes after the blocks of a flat network", "[scopes]")
{
    std::string text = "x = Placeholder()\naxis = Const()\n";
    std::string last = "x";
    for (int i = 0; i < 40; ++i) {
        const std::string n = std::to_string(i);
        text += "w" + n + " = Const()\nmul" + n + " = MatMul(" + last + ", w" + n + ")\n";
        text += "act" + n + " = " + (i % 3 == 0 ? "Relu" : "Tanh") + "(mul" + n + ")\n";
        text += "best" + n + " = ArgMax(y, axis)\n";
        last = "act" + n;
    }
    const GraphPtr g = graph(text + "y = BiasAdd(" + last + ", w0)\n");
    ScopeOptions options;
    options.raised = {g->find("x"), g->find("y"), g->find("act20")};
    std::ranges::sort(options.raised);
    const ScopeTreePtr tree = scopes(g, options);
    checkTree(*g, *tree);
    CHECK(tree->parentOf(g->find("y")) == rootGroup);
    CHECK(tree->parentOf(g->find("mul20")) != rootGroup);
    CHECK(tree->parentOf(g->find("act20")) != rootGroup); // the network goes on
    CHECK(tree->parentOf(g->find("best7")) != rootGroup);
    CHECK(tree->group(tree->parentOf(g->find("best7"))).name == "ArgMax"); // not "Not connected"
}

TEST_CASE("examples from a pipeline come before the blocks of a flat network", "[scopes]")
{
    std::string text = "source = OneShotIterator()\nnext = IteratorGetNext(source)\n";
    std::string last = "next";
    for (int i = 0; i < 40; ++i) {
        const std::string n = std::to_string(i);
        text += "w" + n + " = Const()\nmul" + n + " = MatMul(" + last + ", w" + n + ")\n";
        text += "act" + n + " = " + (i % 3 == 0 ? "Relu" : "Tanh") + "(mul" + n + ")\n";
        last = "act" + n;
    }
    const GraphPtr g = graph(text + "y = Softmax(" + last + ")\n");
    auto parts = std::make_shared<NodeParts>(nodeParts(*g, {}));
    parts->of.assign(g->size(), Part::Network);
    parts->of[g->find("source").value] = Part::Pipeline;
    parts->counts = {};
    parts->counts[std::size_t(Part::Network)] = std::uint32_t(g->size() - 1);
    parts->counts[std::size_t(Part::Pipeline)] = 1;
    ScopeOptions options;
    options.parts = parts;
    options.raised = {g->find("next"), g->find("y")};
    const ScopeTreePtr tree = scopes(g, options);
    checkTree(*g, *tree);
    CHECK(tree->parentOf(g->find("next")) == rootGroup);
    CHECK(tree->parentOf(g->find("mul20")) != rootGroup);
}

TEST_CASE("a part that holds nothing but constants says so", "[scopes]")
{
    const auto nameOf = [](const char* op) {
        const GraphPtr g = graph(
            "x = Placeholder()\ny = Relu(x)\nleft = Const()\nother = " + std::string(op) + "()\n");
        auto parts = std::make_shared<NodeParts>();
        parts->of = {Part::Network, Part::Network, Part::Summaries, Part::Summaries};
        parts->counts[std::size_t(Part::Network)] = 2;
        parts->counts[std::size_t(Part::Summaries)] = 2;
        ScopeOptions options;
        options.parts = parts;
        const ScopeTreePtr tree = scopes(g, options);
        return tree->group(tree->find("#summaries and checks")).name;
    };
    CHECK(nameOf("Const") == "unused constants");
    CHECK(nameOf("NoOp") == "summaries and checks");
}

TEST_CASE("outputs that differ in a number are one series at the root", "[scopes]")
{
    std::string text = "x = Placeholder()\nglobal/v = Relu(x)\n";
    for (int i = 0; i < 14; ++i) {
        const std::string worker = "worker_" + std::to_string(i);
        text += worker + "/a = Relu(x)\n" + worker + "/v = Abs(" + worker + "/a)\n";
        text += worker + "/w = Exp(" + worker + "/a)\n";
    }
    const GraphPtr g = graph(text);
    ScopeOptions options;
    options.raised = {g->find("x"), g->find("global/v")};
    for (int i = 0; i < 14; ++i)
        options.raised.push_back(g->find("worker_" + std::to_string(i) + "/v"));
    const ScopeTreePtr tree = scopes(g, options);
    checkTree(*g, *tree);
    const Group& series = tree->group(tree->parentOf(g->find("worker_3/v")));
    CHECK(series.kind == GroupKind::Series);
    CHECK(series.name == "worker 0…13/v");
    CHECK(series.parent == rootGroup);
    CHECK(series.repeats == 14);
    CHECK(tree->parentOf(g->find("x")) == rootGroup);
    CHECK(tree->parentOf(g->find("global/v")) == rootGroup);

    // Taken apart, all of them are at the root; without a rule for series they would be too many.
    options.ungrouped = {series.path};
    CHECK(scopes(g, options)->parentOf(g->find("worker_3/v")) == rootGroup);
    options.series = false;
    const ScopeTreePtr plain = scopes(g, options);
    CHECK(plain->group(plain->parentOf(g->find("worker_3/v"))).name == "worker_3");
}

} // namespace lapidary
