// SPDX-License-Identifier: Apache-2.0
#include "tests/graph_model/scopes/scopes_testing.h"

#include "tests/catch.h"

#include <map>
#include <random>
#include <set>

namespace lapidary {

ScopeTreePtr scopes(const GraphPtr& graph, const ScopeOptions& options)
{
    auto tree = buildScopeTree(graph, options, Job());
    REQUIRE(tree.ok());
    return *tree;
}

PreparationPtr prepare(const GraphPtr& graph, const PrepareOptions& options,
                       const ScopeOptions& scopeOptions)
{
    auto made = Preparation::make(graph, scopes(graph, scopeOptions), options, Job());
    REQUIRE(made.ok());
    return *made;
}

std::string printScopes(const Graph& graph, const ScopeTree& tree, GroupId at)
{
    std::string out;
    for (const ItemId child : tree.group(at).children) {
        out += out.empty() ? "" : ", ";
        if (child.isNode())
            out += graph.node(child.node()).name();
        else
            out += tree.group(child.group()).name + "{" + printScopes(graph, tree, child.group()) +
                   "}";
    }
    return out;
}

void checkTree(const Graph& graph, const ScopeTree& tree)
{
    std::vector<int> seen(graph.size(), 0);
    std::set<std::string> paths;
    std::uint32_t total = 0;
    bool consistent = true;
    for (std::uint32_t g = 0; g < tree.size(); ++g) {
        const Group& group = tree.group(GroupId{g});
        paths.insert(group.path);
        std::uint32_t nodes = 0;
        for (const ItemId child : group.children) {
            consistent &= tree.parentOf(child) == GroupId{g};
            consistent &= tree.childOf(GroupId{g}, child) == child;
            if (child.isNode()) {
                ++seen[child.index];
                ++nodes;
            } else {
                consistent &= child.index > g;
                consistent &= tree.group(child.group()).depth == group.depth + 1;
                nodes += tree.group(child.group()).nodeCount;
            }
        }
        consistent &= nodes == group.nodeCount;
        consistent &= g == 0 || !group.children.empty();
        consistent &= tree.find(group.path) == GroupId{g};
        total = g == 0 ? group.nodeCount : total;
    }
    CHECK(consistent);
    CHECK(total == graph.size());
    CHECK(paths.size() == tree.size());
    CHECK(std::ranges::all_of(seen, [](int n) { return n == 1; }));
}

namespace {

using EdgeKey = std::pair<std::uint32_t, std::uint32_t>;

void checkBundle(const Preparation& preparation, const PreparedScope& scope,
                 const PreparedEdge& edge, std::map<EdgeKey, int>& seen, bool& good)
{
    const Graph& graph = preparation.graph();
    const auto itemOf = [&](ItemId box) {
        const ItemId child = preparation.tree().childOf(scope.group, box);
        for (std::size_t i = 0; i < scope.items.size(); ++i)
            if (scope.items[i].item == child)
                return std::int32_t(i);
        return PreparedEdge::outside;
    };
    good &= !edge.edges.empty();
    good &= edge.isInner == (edge.from == edge.to);
    for (const GraphEdge& e : edge.edges) {
        const Endpoint& source = graph.inputs(e.reader)[e.slot];
        good &= source.isControl() == (edge.kind == EdgeKind::Control);
        good &= itemOf(preparation.shownBy(e.reader)) == edge.to;
        // A constant on several boxes is shown by the reader's own.
        good &= itemOf(preparation.shownBy(source.node)) == edge.from ||
                preparation.hidden(source.node) != nullptr;
        if (edge.from >= 0 && edge.to >= 0)
            ++seen[{e.reader.value, e.slot}];
    }
}

} // namespace

void checkEdges(const Preparation& preparation)
{
    const Graph& graph = preparation.graph();
    std::map<EdgeKey, int> seen;
    bool good = true;
    for (std::uint32_t g = 0; g < preparation.tree().size(); ++g) {
        const PreparedScope scope = preparation.scope(GroupId{g});
        for (const PreparedEdge& edge : scope.edges)
            checkBundle(preparation, scope, edge, seen, good);
    }
    CHECK(good);
    std::size_t missing = 0;
    std::size_t twice = 0;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        for (std::uint32_t slot = 0; slot < graph.inputs(NodeId{i}).size(); ++slot) {
            const int count = seen[{i, slot}];
            const Endpoint& source = graph.inputs(NodeId{i})[slot];
            const bool expected = source.node.isValid() &&
                                  preparation.shownBy(NodeId{i}).isValid() &&
                                  preparation.shownBy(source.node).isValid();
            missing += expected && count == 0;
            twice += count > 1 || (!expected && count > 0);
        }
    CHECK(missing == 0);
    CHECK(twice == 0);
}

GraphPtr randomGraph(unsigned seed, std::size_t nodes)
{
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) {
        return std::size_t(random()) % std::max<std::size_t>(n, 1);
    };
    static const std::vector<std::string> ops{"Const",  "Const",        "Identity", "Add",
                                              "Conv2D", "Merge",        "Relu",     "Variable",
                                              "NoOp",   "NextIteration"};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < nodes; ++i) {
        std::string name;
        for (std::size_t depth = below(4); depth > 0; --depth)
            name += "s" + std::to_string(below(3)) + "/";
        names.push_back(name + "n" + std::to_string(i));
    }
    Graph::Parts parts;
    for (std::size_t i = 0; i < nodes; ++i) {
        NodeDraft draft;
        draft.name = names[i];
        draft.op = ops[below(ops.size())];
        const bool isLeaf = draft.op == "Const" || draft.op == "Variable";
        for (std::size_t k = isLeaf ? below(4) / 3 : below(4); k > 0; --k) {
            const std::string source = below(30) == 0 ? "missing" : names[below(nodes)];
            draft.inputs.push_back((isLeaf || below(5) == 0 ? "^" : "") + source);
        }
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

} // namespace lapidary
