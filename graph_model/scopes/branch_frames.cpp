// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/branch_frames.h"

#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/scope_draft.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lapidary {
namespace {

constexpr std::uint32_t outside = 0; // side 0, outside of every conditional
constexpr std::uint32_t deepestNesting = 64;

std::string_view scopeAround(std::string_view name)
{
    std::string_view scopes = name.substr(0, std::size_t(leafName(name).data() - name.data()));
    while (scopes.ends_with('/'))
        scopes.remove_suffix(1);
    return scopes;
}

class BranchFinder {
public:
    BranchFinder(const Graph& graph, const NodeParts* parts, const LoopFrames* loops)
        : m_graph(graph)
        , m_parts(parts)
        , m_isGate(graph.size(), false)
    {
        for (std::size_t f = 0; loops != nullptr && f < loops->frames.size(); ++f)
            for (const Consumer& reader : graph.consumers(loops->frames[f].condition))
                m_isGate[reader.node.value] = true;
    }

    BranchesPtr run()
    {
        m_found->sides.emplace_back();
        m_depth.push_back(0);
        m_found->sideOf.assign(m_graph.size(), outside);
        for (const NodeId id : topologicalOrder(m_graph))
            m_found->sideOf[id.value] = sideOfNode(id);
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            settleSwitch(NodeId{i});
        findConditionals();
        if (m_found->conditionals.empty())
            return nullptr;
        const std::vector<bool> normalizes = findNormalizations();
        for (std::size_t c = 0; c < m_found->conditionals.size(); ++c)
            describe(m_found->conditionals[c], normalizes[c]);
        return m_found;
    }

private:
    std::string_view op(NodeId id) const { return m_graph.node(id).op(); }

    bool isBranching(NodeId id) const
    {
        return isSwitch(op(id)) && !m_isGate[id.value] && m_graph.inputs(id).size() >= 2 &&
               m_graph.inputs(id)[1].node.isValid();
    }

    bool isLoopMerge(NodeId id) const
    {
        return std::ranges::any_of(m_graph.inputs(id), [&](const Endpoint& from) {
            return from.node.isValid() && isNextIteration(op(from.node));
        });
    }

    std::uint32_t sideOfTensor(Endpoint from)
    {
        const std::uint32_t side = m_found->sideOf[from.node.value];
        const bool chooses = !from.isControl() && from.port < 2 && isBranching(from.node);
        if (!chooses || m_depth[side] == deepestNesting)
            return side;
        const NodeId predicate = m_graph.inputs(from.node)[1].node;
        const bool isTrue = from.port == 1;
        const auto next = std::uint32_t(m_found->sides.size());
        const auto [known, isNew] =
            m_byKey.try_emplace(std::tuple(side, predicate.value, isTrue), next);
        if (isNew) {
            m_found->sides.push_back({side, predicate, isTrue});
            m_depth.push_back(m_depth[side] + 1);
        }
        return known->second;
    }

    std::uint32_t sideOfNode(NodeId id)
    {
        const bool merges = isMerge(op(id)) && !isLoopMerge(id);
        std::uint32_t side = outside;
        bool isFirst = true;
        for (const Endpoint& from : m_graph.inputs(id)) {
            if (!from.node.isValid() || isNextIteration(op(from.node)))
                continue;
            const std::uint32_t one = sideOfTensor(from);
            if (merges && !from.isControl())
                side = isFirst ? one : common(side, one);
            else if (!merges && m_depth[one] > m_depth[side])
                side = one;
            isFirst = false;
        }
        return side;
    }

    std::uint32_t common(std::uint32_t a, std::uint32_t b) const
    {
        while (a != b) {
            std::uint32_t& deeper = m_depth[a] >= m_depth[b] ? a : b;
            deeper = m_found->sides[deeper].outer;
        }
        return a;
    }

    bool isInNetwork(NodeId id) const
    {
        return m_parts == nullptr || m_parts->of[id.value] == Part::Network;
    }

    // Puts a Switch whose value is only needed on one side on that side.
    void settleSwitch(NodeId id)
    {
        if (!isBranching(id) || !isInNetwork(id))
            return;
        const auto readers = m_graph.consumers(id);
        const bool isOneSided =
            !readers.empty() && std::ranges::all_of(readers, [&](const auto& r) {
                return !r.isControl() && r.port == readers.front().port;
            });
        if (!isOneSided)
            return;
        const NodeId reader = readers.front().node;
        const bool isOne = std::ranges::all_of(
            readers, [&](const Consumer& other) { return other.node == reader; });
        const std::uint32_t side = sideOfTensor({id, readers.front().port});
        if (isOne && reader != id && isInNetwork(reader) && !isBranching(reader) &&
            controlFlow(op(reader)) == ControlFlow::None)
            m_found->passesTo.emplace(id, reader);
        m_settled.emplace_back(id, side);
    }

    // Returns the predicate that determines the input that a Merge passes on.
    NodeId predicateOf(NodeId merge)
    {
        const std::uint32_t around = m_found->sideOf[merge.value];
        NodeId predicate;
        for (const Endpoint& from : m_graph.inputs(merge)) {
            if (from.isControl() || !from.node.isValid())
                continue;
            std::uint32_t side = sideOfTensor(from);
            while (side != around && side != outside && m_found->sides[side].outer != around)
                side = m_found->sides[side].outer;
            if (side == around || side == outside)
                return {};
            const NodeId own = m_found->sides[side].predicate;
            if (predicate.isValid() && own != predicate)
                return {};
            predicate = own;
        }
        return predicate;
    }

    void findConditionals()
    {
        std::map<std::string_view, NodeId> predicates; // by scope; invalid if there are several
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const NodeId id{i};
            if (!isMerge(op(id)) || isLoopMerge(id) || !isInNetwork(id))
                continue;
            const std::string_view scope = scopeAround(m_graph.node(id).name());
            const NodeId predicate = predicateOf(id);
            if (scope.empty() || !predicate.isValid())
                continue;
            const auto [known, isNew] = predicates.try_emplace(scope, predicate);
            if (!isNew && known->second != predicate)
                known->second = {};
        }
        for (const auto& [id, side] : m_settled)
            m_found->sideOf[id.value] = side;
        for (const auto& [scope, predicate] : predicates)
            if (predicate.isValid())
                m_found->conditionals.push_back({scope, predicate, {}, {}});
    }

    NodeId origin(NodeId id) const
    {
        constexpr int farthest = 16;
        for (int hop = 0; hop < farthest; ++hop) {
            const auto inputs = m_graph.inputs(id);
            const bool passes = passesInputOn(op(id)) || isEnter(op(id)) || isBranching(id);
            if (!passes || inputs.empty() || !inputs[0].node.isValid() || inputs[0].isControl())
                break;
            id = inputs[0].node;
        }
        return id;
    }

    void describe(Conditional& conditional, bool normalizes) const
    {
        collectTests(conditional);
        const NodeId from = origin(conditional.predicate);
        const std::string name(leafName(m_graph.node(from).name()));
        const bool saysTraining = name.find("train") != std::string::npos ||
                                  name.find("learning_phase") != std::string::npos;
        conditional.says = normalizes && saysTraining ? "train | infer" : "if " + name;
    }

    // Collects Switch(p, p), and the copies of p after it, which keep the constants of the two
    // sides.
    void collectTests(Conditional& conditional) const
    {
        const NodeId predicate = conditional.predicate;
        for (const Consumer& reader : m_graph.consumers(predicate)) {
            const auto inputs = m_graph.inputs(reader.node);
            if (!isBranching(reader.node) || inputs[0].node != predicate || reader.slot != 0 ||
                !isInNetwork(reader.node))
                continue;
            conditional.tests.push_back(reader.node);
            for (const Consumer& copy : m_graph.consumers(reader.node))
                if (copiesInput(op(copy.node)) && m_graph.inputs(copy.node).size() == 1 &&
                    isInNetwork(copy.node))
                    conditional.tests.push_back(copy.node);
        }
    }

    // Finds the conditionals whose two sides only normalize, by the statistics of a batch or by
    // stored ones: each node counts for every conditional around it. O(nodes).
    std::vector<bool> findNormalizations() const
    {
        std::map<std::string_view, std::size_t> byScope;
        for (std::size_t c = 0; c < m_found->conditionals.size(); ++c)
            byScope.emplace(m_found->conditionals[c].scope, c);
        std::vector<bool> normalizes(m_found->conditionals.size(), false);
        std::vector<bool> works(m_found->conditionals.size(), false);
        for (const NodePtr& node : m_graph.nodes()) {
            const std::string_view op = node->op();
            const bool isWork = workKind(op) != WorkKind::None;
            const bool isNorm =
                op.starts_with("FusedBatchNorm") || op == "SquaredDifference" || op == "Mean";
            if (!isWork && !isNorm)
                continue;
            const std::string_view name = node->name();
            for (std::size_t end = name.find('/'); end != std::string_view::npos;
                 end = name.find('/', end + 1)) {
                const auto around = byScope.find(name.substr(0, end));
                if (around == byScope.end())
                    continue;
                works[around->second] = works[around->second] || isWork;
                normalizes[around->second] = normalizes[around->second] || isNorm;
            }
        }
        for (std::size_t c = 0; c < works.size(); ++c)
            normalizes[c] = normalizes[c] && !works[c];
        return normalizes;
    }

    const Graph& m_graph;
    const NodeParts* m_parts;
    std::vector<bool> m_isGate;         // gates of loops
    std::vector<std::uint32_t> m_depth; // by side
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> m_byKey;
    std::vector<std::pair<NodeId, std::uint32_t>> m_settled;
    std::shared_ptr<Branches> m_found = std::make_shared<Branches>();
};

} // namespace

std::string_view Branches::sideName(NodeId id, NodeId predicate) const
{
    for (std::uint32_t side = sideOf[id.value]; side != 0; side = sides[side].outer)
        if (sides[side].predicate == predicate)
            return names[sides[side].isTrue ? 1 : 0];
    return {};
}

BranchesPtr findBranches(const Graph& graph, const NodeParts* parts, const LoopFrames* loops)
{
    const bool hasSwitches = std::ranges::any_of(
        graph.nodes(), [](const NodePtr& node) { return isSwitch(node->op()); });
    return hasSwitches ? BranchFinder(graph, parts, loops).run() : nullptr;
}

} // namespace lapidary
