// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/graph_testing.h"

#include <chrono>
#include <random>

namespace lapidary {
namespace {

struct Source {
    std::vector<NodePtr> nodes;
    std::size_t count = 0;

    // Meaningless names, whatever is built.
    std::string add(const std::string& op, std::vector<std::string> inputs = {})
    {
        NodeDraft draft;
        draft.name = "n" + std::to_string(count++);
        draft.op = op;
        draft.inputs = std::move(inputs);
        nodes.push_back(draft.finish());
        return draft.name;
    }
    GraphPtr finish(unsigned seed = 0)
    {
        if (seed != 0)
            std::shuffle(nodes.begin(), nodes.end(), std::mt19937(seed));
        Graph::Parts parts;
        parts.nodes = std::move(nodes);
        return Graph::make(std::move(parts));
    }
};

std::string convolution(Source& source, const std::string& x)
{
    const std::string conv =
        source.add("Conv2D", {x, source.add("Identity", {source.add("Const")})});
    return source.add("BiasAdd", {conv, source.add("Const")});
}

// Residual blocks of three convolutions: 16 nodes each.
GraphPtr residualNetwork(int blocks, unsigned seed)
{
    Source source;
    std::string x = source.add("Relu", {convolution(source, source.add("Placeholder"))});
    for (int i = 0; i < blocks; ++i) {
        std::string y = x;
        for (int k = 0; k < 3; ++k) {
            y = convolution(source, y);
            if (k < 2)
                y = source.add("Relu", {y});
        }
        x = source.add("Relu", {source.add("Add", {y, x})});
    }
    source.add("Softmax", {source.add("MatMul", {source.add("Mean", {x}), source.add("Const")})});
    return source.finish(seed);
}

std::size_t mostShown(const Preparation& preparation)
{
    std::size_t most = 0;
    for (std::uint32_t g = 0; g < preparation.tree().size(); ++g)
        most = std::max(most, preparation.scope(GroupId{g}).items.size());
    return most;
}

std::size_t groupsOf(const ScopeTree& tree, std::uint32_t nodes, std::string_view op,
                     std::uint32_t count)
{
    std::size_t n = 0;
    for (std::uint32_t g = 1; g < tree.size(); ++g) {
        const Group& group = tree.group(GroupId{g});
        const bool has = std::ranges::any_of(group.ops, [&](const auto& entry) {
            return entry.first == op && entry.second == count;
        });
        n += group.nodeCount == nodes && has;
    }
    return n;
}

void checkAnyGraph(const GraphPtr& graph)
{
    const PreparationPtr made = prepare(graph);
    checkTree(*graph, made->tree());
    CHECK(mostShown(*made) <= 60);
}

} // namespace

TEST_CASE("equal blocks of a graph without names are one box each", "[scopes]")
{
    for (const unsigned seed : {0U, 1U, 2U}) {
        const GraphPtr g = residualNetwork(9, seed);
        const ScopeTreePtr tree = scopes(g);
        checkTree(*g, *tree);
        CHECK(groupsOf(*tree, 19, "Conv2D", 3) == 9);
        checkEdges(*prepare(g));
    }
}

TEST_CASE("blocks are named after what joins in them", "[scopes]")
{
    // Nine pairs of convolutions in a row; `end` makes what the next pair reads.
    const auto holds = [](const auto& end, std::string_view name) {
        Source source;
        std::string x = source.add("Placeholder");
        for (int i = 0; i < 9; ++i)
            x = source.add("Relu", {end(source, x)});
        const ScopeTreePtr tree = scopes(source.finish());
        for (std::uint32_t g = 1; g < tree->size(); ++g)
            if (tree->group(GroupId{g}).name.starts_with(name))
                return true;
        return false;
    };
    const auto pair = [](Source& source, const std::string& x) {
        return convolution(source, source.add("Relu", {convolution(source, x)}));
    };
    const auto biased = [&](Source& source, const std::string& x) {
        const std::string bias = source.add(
            "Reshape", {source.add("Identity", {source.add("Const")}), source.add("Const")});
        return source.add("Add", {pair(source, x), bias});
    };
    const auto residual = [&](Source& source, const std::string& x) {
        return source.add("Add", {pair(source, x), x});
    };
    // As many ways to the parameter as no one can look at: then it is not looked at, and joins.
    const auto packed = [&](Source& source, const std::string& x) {
        std::string bias = source.add("Identity", {source.add("Const")});
        for (int level = 0; level < 3; ++level)
            bias = source.add("Pack", std::vector<std::string>(5000, bias));
        return source.add("Add", {pair(source, x), bias});
    };
    CHECK(holds(packed, "Residual block"));
    CHECK_FALSE(holds(biased, "Residual block"));
    CHECK(holds(biased, "Conv block"));
    CHECK(holds(residual, "Residual block"));
    const auto inGroups = [](Source& source, const std::string& x) {
        const std::string parts = source.add("Split", {source.add("Const"), x});
        std::vector<std::string> joined;
        for (const char* port : {"", ":1", ":2"})
            joined.push_back(convolution(source, parts + port));
        joined.push_back(source.add("Const"));
        return source.add("ConcatV2", joined);
    };
    CHECK_FALSE(holds(inGroups, "Inception block"));
}

TEST_CASE("found groups say how they were found and can be taken apart", "[scopes]")
{
    const GraphPtr g = residualNetwork(9, 1);
    const ScopeTreePtr tree = scopes(g);
    GroupId repeat;
    for (std::uint32_t i = 1; i < tree->size(); ++i) {
        const Group& group = tree->group(GroupId{i});
        CHECK_FALSE(group.reason.empty());
        CHECK_FALSE(group.name.empty());
        CHECK(group.kind != GroupKind::Scope);
        if (group.kind == GroupKind::Repeat && group.repeats == 9)
            repeat = GroupId{i};
    }
    REQUIRE(repeat.isValid());
    const std::string path = tree->group(repeat).path;
    const ScopeTreePtr apart = scopes(g, {.ungrouped = {path}});
    CHECK_FALSE(apart->find(path).isValid());
    CHECK(apart->size() == tree->size() - 1);
    checkTree(*g, *apart);
}

TEST_CASE("small graphs and well-named scopes are left as they are", "[scopes]")
{
    CHECK(scopes(residualNetwork(1, 0))->size() == 1);
    CHECK(scopes(residualNetwork(9, 0), {.structure = false, .ungrouped = {}})->size() == 1);
    std::string text;
    for (int i = 0; i < 200; ++i)
        text +=
            "s" + std::to_string(i / 20) + "/op" + std::to_string(i % 20) + "x = Relu(" +
            (i > 0 ? "s" + std::to_string((i - 1) / 20) + "/op" + std::to_string((i - 1) % 20) + "x"
                   : "") +
            ")\n";
    const ScopeTreePtr named = scopes(graph(text), {.series = false, .ungrouped = {}});
    CHECK(named->size() == 11);
}

TEST_CASE("a graph with many scopes shows few boxes at first, a scope more", "[scopes]")
{
    const auto chain = [](const std::string& prefix) {
        std::string text = prefix + "x = Placeholder()\n";
        std::string last = prefix + "x";
        for (char c = 'a'; c <= 'z'; ++c)
            for (const char* const op : {"Relu", "Tanh"}) {
                const std::string scope = prefix + std::string(1, c) + op;
                text += scope + "/one = " + op + "(" + last + ")\n" + scope + "/two = MatMul(" +
                        scope + "/one, " + scope + "/one)\n";
                last = scope + "/two";
            }
        return text;
    };
    const ScopeTreePtr wide = scopes(graph(chain("")), {.series = false, .ungrouped = {}});
    CHECK(wide->group(rootGroup).children.size() <= 40);
    CHECK(wide->size() > 2 * 26 + 1);
    const ScopeTreePtr deep = scopes(graph(chain("net/") + "y = Softmax(net/zTanh/two)\n"),
                                     {.series = false, .ungrouped = {}});
    CHECK(deep->group(deep->find("net")).children.size() == 2 * 26 + 1);
}

TEST_CASE("a loop without names is one box", "[scopes]")
{
    Source source;
    std::string x = source.add("Placeholder");
    for (int i = 0; i < 30; ++i)
        x = source.add("Relu", {x});
    const std::string enter = source.add("Enter", {x});
    const std::string next = "n" + std::to_string(source.count + 6);
    const std::string merge = source.add("Merge", {enter, next});
    const std::string cond = source.add("LoopCond", {source.add("Less", {merge, merge})});
    const std::string loop = source.add("Switch", {merge, cond});
    const std::string body = source.add("Tanh", {source.add("MatMul", {loop + ":1", loop + ":1"})});
    REQUIRE(source.add("NextIteration", {body}) == next);
    source.add("Softmax", {source.add("Exit", {loop})});
    const GraphPtr g = source.finish();
    const ScopeTreePtr tree = scopes(g);
    bool found = false;
    for (std::uint32_t i = 1; i < tree->size(); ++i)
        if (tree->group(GroupId{i}).loop != DrawnLoop::none) {
            found = true;
            CHECK(tree->group(GroupId{i}).nodeCount == 9);
        }
    CHECK(found);
}

TEST_CASE("any graph gets a tree of at most 60 things at once", "[scopes]")
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        Source source;
        static const char* const ops[] = {"Conv2D",
                                          "Relu",
                                          "Add",
                                          "Switch",
                                          "Merge",
                                          "Enter",
                                          "Exit",
                                          "Const",
                                          "NextIteration",
                                          "ApplyAdam",
                                          "Conv2DBackpropFilter",
                                          "NoOp",
                                          "Identity"};
        const std::size_t n = 100 * seed;
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<std::string> inputs;
            for (std::size_t k = random() % 3; k > 0; --k)
                inputs.push_back((random() % 6 == 0 ? "^n" : "n") + std::to_string(random() % n));
            source.add(ops[random() % 13], inputs);
        }
        const GraphPtr g = source.finish(seed);
        checkAnyGraph(g);
        checkEdges(*prepare(g));
    }
}

TEST_CASE("hostile shapes of graphs do no harm", "[scopes]")
{
    constexpr std::size_t n = 20'000;
    const auto build = [&](auto inputsOf) {
        Source source;
        source.add("Placeholder");
        for (std::size_t i = 1; i < n; ++i)
            source.add(i % 3 == 0 ? "Conv2D" : "Add", inputsOf(i));
        return source.finish();
    };
    const auto name = [](std::size_t i) { return "n" + std::to_string(i); };
    std::mt19937 random(3);
    checkAnyGraph(build([&](std::size_t i) { return std::vector{name(i - 1)}; }));
    checkAnyGraph(build([&](std::size_t i) { return std::vector{name((i + 1) % n)}; }));
    checkAnyGraph(build([&](std::size_t i) { return std::vector{name(random() % i)}; }));
    checkAnyGraph(build([&](std::size_t i) {
        return std::vector{name(random() % i), name(random() % i)};
    }));
    checkAnyGraph(build([&](std::size_t i) { return std::vector{name((i - 1) / 2)}; }));
    checkAnyGraph(build([&](std::size_t) { return std::vector<std::string>{}; }));
    checkAnyGraph(build([&](std::size_t i) { // nested skips
        return i < n / 2 ? std::vector{name(i - 1)} : std::vector{name(i - 1), name(n - i)};
    }));
    checkAnyGraph(build([&](std::size_t i) { // one to all to one
        std::vector<std::string> inputs{name(0)};
        for (std::size_t k = 1; i + 1 == n && k < i; ++k)
            inputs.push_back(name(k));
        return inputs;
    }));
    Source enters;
    std::string x = enters.add("Placeholder");
    for (std::size_t i = 0; i < n; ++i)
        x = enters.add("Enter", {x});
    checkAnyGraph(enters.finish());
}

TEST_CASE("a block of layers is named after them, not after what only serves them", "[structure]")
{
    // As a network without scopes around its layers: the normalizations have most of the nodes.
    std::string text = "x = Placeholder()\n";
    std::string at = "x";
    for (int i = 0; i < 40; ++i) {
        const std::string number = i == 0 ? "" : "_" + std::to_string(i);
        const std::string conv = "conv" + number + "/";
        const std::string norm = "norm" + number + "/";
        text += conv + "w = Const()\n" + conv + "Conv2D = Conv2D(" + at + ", " + conv + "w)\n";
        text += norm + "mean = Const()\n" + norm + "scale = Const()\n";
        text += norm + "sub = Sub(" + conv + "Conv2D, " + norm + "mean)\n";
        text += norm + "mul = Mul(" + norm + "sub, " + norm + "scale)\n";
        text += norm + "add = Add(" + norm + "mul, " + norm + "mean)\n";
        at = norm + "add";
    }
    ScopeOptions options;
    options.series = false;
    const ScopeTreePtr tree = scopes(graph(text + "y = Softmax(" + at + ")\n"), options);
    bool hasLayers = false;
    for (std::uint32_t i = 1; i < tree->size(); ++i) {
        const std::string& name = tree->group(GroupId{i}).name;
        INFO(name);
        CHECK_FALSE(name.starts_with("norm 0\u2026"));
        hasLayers = hasLayers || name.starts_with("Conv stage");
    }
    CHECK(hasLayers);
}

} // namespace lapidary
