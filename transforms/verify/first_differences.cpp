// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/first_differences.h"

#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace lapidary {
namespace {

// Removes three quarters of the energy of a difference.
constexpr double undoneDb = 6;

// The pairs of all outputs of one node.
struct NodeState {
    bool isWithin = true;
    double sqnrDb = std::numeric_limits<double>::infinity(); // the lowest; NaN stays
    double rescaledDb = std::numeric_limits<double>::infinity();
    bool canBeRescaled = true;

    void include(const VerifiedPair& pair)
    {
        isWithin = isWithin && pair.isWithin;
        if (pair.isWithin)
            return;
        const TensorAgreement& agreement = pair.agreement;
        if (std::isnan(agreement.sqnrDb) || agreement.sqnrDb < sqnrDb)
            sqnrDb = agreement.sqnrDb;
        canBeRescaled = canBeRescaled && agreement.rescaledDb.has_value();
        rescaledDb = std::min(rescaledDb, agreement.rescaledDb.value_or(rescaledDb));
    }

    // Returns true if a factor explains most of the difference: with the factor undone, the SQNR is
    // at least 10 dB.
    bool isRescaled() const
    {
        return !isWithin && canBeRescaled && rescaledDb >= sqnrDb + undoneDb && rescaledDb >= 10;
    }
};

std::ptrdiff_t quantizedNodes(const Graph& graph)
{
    return std::ranges::count_if(graph.nodes(), [](const NodePtr& node) {
        return node->op().starts_with("Quantize") || node->op() == "Dequantize";
    });
}

class Search {
public:
    Search(const ComparedGraphs& graphs, Verification& verification)
        : m_graphs(graphs)
        , m_graph(graphs.a)
        , m_found(verification)
        , m_isQuantized(quantizedNodes(graphs.b) > quantizedNodes(graphs.a))
    {
        for (const VerifiedPair& pair : m_found.pairs)
            if (!pair.isOutput && !pair.isRounding)
                m_states[pair.node.value].include(pair);
    }

    void run()
    {
        for (std::size_t i = 0; i < m_found.pairs.size(); ++i) {
            VerifiedPair& pair = m_found.pairs[i];
            if (pair.isWithin)
                continue;
            const bool isBroken = pair.grade == Grade::Broken;
            const bool isInner = !pair.isOutput && !pair.isRounding;
            const NodeState* state = isInner ? &m_states.at(pair.node.value) : nullptr;
            pair.isUndone = pair.isRounding
                                ? isRoundedUndone(pair)
                                : state != nullptr &&
                                      (isAbsorbed(pair.node) || isScaleUndone(pair.node, *state));
            if (pair.isUndone && !pair.isRounding)
                m_undone.insert(pair.node.value);
            if (pair.isUndone)
                continue;
            if (!m_found.firstAbove)
                m_found.firstAbove = i;
            if (isBroken && !m_found.firstLarge && !(state != nullptr && isMild(pair.node)))
                m_found.firstLarge = i;
        }
    }

private:
    // Returns whether `test` holds for every nearest node that depends on `id` and is compared, and
    // there is one. Nodes for which `skip` holds are skipped, and their readers are looked at
    // instead.
    template <class Skip, class Test>
    bool forNearest(NodeId id, const Skip& skip, const Test& test) const
    {
        std::vector<NodeId> open{id};
        std::vector<bool> isSeen(m_graph.size());
        bool isRead = false;
        while (!open.empty()) {
            const NodeId next = open.back();
            open.pop_back();
            for (const Consumer& consumer : m_graph.consumers(next)) {
                if (isSeen[consumer.node.value])
                    continue;
                isSeen[consumer.node.value] = true;
                const auto state = m_states.find(consumer.node.value);
                if (state == m_states.end() || skip(state->second))
                    open.push_back(consumer.node);
                else if (!test(state->second))
                    return false;
                else
                    isRead = true;
            }
        }
        return isRead;
    }

    bool isAbsorbed(NodeId id) const
    {
        return forNearest(
            id, [](const NodeState&) { return false; },
            [](const NodeState& reader) { return reader.isWithin; });
    }

    bool isScaleUndone(NodeId id, const NodeState& state) const
    {
        if (!state.isRescaled())
            return false;
        // The factor is undone if the error after the readers is smaller than here, by as much as
        // the scale caused. If their own weights were quantized too, they cannot be exact.
        const double enough =
            std::max(std::min(state.rescaledDb, m_isQuantized ? roundedDb : exactDb) - 10,
                     state.sqnrDb + undoneDb);
        return isMovedOn(id) || forNearest(
                                    id, [](const NodeState& reader) { return reader.isRescaled(); },
                                    [&](const NodeState& reader) {
                                        return reader.isWithin || reader.sqnrDb >= enough;
                                    });
    }

    // Returns whether the factor of a tensor's codes is undone: it is if that of the tensor, which
    // comes before them in the list, is.
    bool isRoundedUndone(const VerifiedPair& pair) const
    {
        NodeState state;
        state.include(pair);
        return state.isRescaled() && m_undone.contains(pair.node.value);
    }

    // Returns whether `b` lacks a node after this one or has another op instead, before any node
    // that a factor cannot pass: the factor went into the constants there.
    bool isMovedOn(NodeId id) const
    {
        std::vector<NodeId> open{id};
        std::vector<bool> isSeen(m_graph.size());
        while (!open.empty()) {
            const NodeId next = open.back();
            open.pop_back();
            for (const Consumer& consumer : m_graph.consumers(next)) {
                const NodeId reader = consumer.node;
                if (isSeen[reader.value])
                    continue;
                isSeen[reader.value] = true;
                const std::string_view op = m_graph.node(reader).op();
                if (op != "Identity" && op != "NoOp" && m_graphs.opOfSameNumbers(reader) != op)
                    return true;
                if (passesFactorsOn(op))
                    open.push_back(reader);
            }
        }
        return false;
    }

    // Returns whether the readers of a broken tensor are not broken, for example because a Relu
    // cuts the difference off.
    bool isMild(NodeId id) const
    {
        return forNearest(
            id, [](const NodeState&) { return false; },
            [&](const NodeState& reader) { return reader.isWithin || reader.sqnrDb >= mildDb; });
    }

    static constexpr double mildDb = GradeLimits().minSqnrDb;
    static constexpr double exactDb = 60;   // more than 8 bits leave
    static constexpr double roundedDb = 30; // rounding leaves less than that, layer by layer

    const ComparedGraphs& m_graphs;
    const Graph& m_graph;
    Verification& m_found;
    bool m_isQuantized;                                    // `b` has more quantized nodes than `a`
    std::unordered_map<std::uint32_t, NodeState> m_states; // states of compared nodes
    std::unordered_set<std::uint32_t> m_undone;            // those whose error is undone
};

} // namespace

void findFirstDifferences(const ComparedGraphs& graphs, Verification& verification)
{
    Search(graphs, verification).run();
}

} // namespace lapidary
