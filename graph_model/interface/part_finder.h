// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "graph_model/interface/node_kinds.h"
#include "graph_model/interface/node_parts.h"
#include "graph_model/interface/op_effects.h"
#include "graph_model/ops/op_traits.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lapidary {

// The implementation of nodeParts(): determines the dependencies of each node (part_evidence.cpp),
// then its part (node_parts.cpp).
class PartFinder {
public:
    PartFinder(const Graph& graph, std::span<const NodeId> results);
    NodeParts run();

private:
    struct OpKinds {
        OpEffect effect = OpEffect::None;
        bool isSource = false;
        bool isFed = false;
        bool isVariable = false;
        bool deliversWeight = false;
        bool isHeavy = false;
        bool isLayer = false; // only if it reads a variable
        bool asksForSize = false;
        bool concludes = false; // its output is a result if its input is: activations, other forms
        bool addsUp = false;    // over elements: Sum, Mean
        bool joins = false;     // makes one result of several
        bool isSampler = false; // draws wrong classes for a loss
        bool isBlank = false;   // uses only the size of its input: ZerosLike
        bool isVoid = false;    // has no value: NoOp
    };

    static OpKinds kindsOf(std::string_view op);
    void lookForwards();
    void findTrained();
    void findLayers();
    void dropComparisons(std::vector<NodeId>& layers) const;
    void findMeasures();
    void findReproductions();
    void spread(NodeFlags& flags) const;
    bool isData(NodeId id) const { return m_content[id.value] && !m_weighted[id.value]; }
    bool isCompleted(NodeId id) const;
    bool comparesWithData(NodeId id) const;
    void settle(NodeId id, Part part)
    {
        m_part[id.value] = part;
        m_isSettled[id.value] = true;
        m_hasNetworkResult = m_hasNetworkResult || (part == Part::Network && m_isResult[id.value]);
    }
    void settleEffects();
    void settleAssignments();
    Part partOfEffect(NodeId id) const;
    bool isGoal(NodeId id) const;
    bool isPredicted(NodeId id) const;
    bool isProbability(NodeId id, const NodeFlags& network) const;
    bool followLoops(NodeFlags& network) const;
    void conclude(NodeFlags& network) const;
    NodeId beforeLoop(NodeId id) const;
    bool awaitsAside(NodeId id) const;
    bool isResult(NodeId variable) const;
    Part partOfAssignment(NodeId id) const;
    using Effects = std::array<bool, 16>; // by OpEffect
    const Effects& effectsOf(const Function& function) const;
    bool callsTo(NodeId id, CallKind kind, OpEffect effect) const;
    bool callsToSave(NodeId id) const;
    bool callsToCheck(NodeId id) const;
    bool isUsed(NodeId id) const;
    void growResults(NodeFlags& network);
    void settleNetwork();
    bool isLayer(NodeId id) const;
    bool isMadeOfWeight(NodeId id) const;
    bool meetsTrained(NodeId id) const;
    NodeId networkBehind(const Endpoint& input, const NodeFlags& network) const;
    bool concludesNetwork(NodeId id, const NodeFlags& network) const;
    NodeId weightBehind(NodeId id) const;
    bool readsWeightAgain(NodeId id) const;
    bool isBlankOfResult(NodeId id) const;
    void growUp(std::vector<NodeId> open, NodeFlags& network) const;
    void findServing();
    bool settleUnusedGradient(NodeId id);
    bool isOnlyAwaited(NodeId id) const;
    bool isLeftToAwaited(NodeId id) const;
    void settleEnd(NodeId id, bool isAwaited);
    void settleEnds();
    bool hasResultsOnly() const;
    Part partOfEnd(NodeId id) const;
    bool isLaterResult(NodeId id) const;
    bool isLeftByLoss(NodeId id) const;
    bool loopServes(NodeId ofValue) const;
    bool marksBranch(NodeId id) const;
    bool waitsForTraining(NodeId id) const;
    void settleLoops();
    bool isInFrame(NodeId id) const;
    void settleServants();
    void settleRest();
    void settleLoose(const std::vector<NodeId>& loose);
    void releaseIdle();
    bool settleSignal(NodeId id);
    bool isInCondition(NodeId id) const;
    Part partByControl(NodeId id) const;
    Part partOfWeight(NodeId id, NodeId weight) const;
    Part partOfBranch(NodeId id) const;
    std::optional<Part> partOfSwitch(NodeId decides) const;
    Part partBeside(NodeId id) const;
    void lookBeside();

    const Graph& m_graph;
    std::span<const NodeId> m_results;
    std::vector<NodeId> m_order; // in topological order, sources first
    NodeKinds<OpKinds> m_kinds;
    NodeFlags m_gradients;
    NodeFlags m_content;  // depends on what is fed
    NodeFlags m_weighted; // depends on a variable
    NodeFlags m_layers;   // leads to a node where weights meet data
    NodeFlags m_measured; // depends on weights and on feeds beside the network
    NodeFlags m_restored; // depends on a checkpoint
    NodeFlags m_sampled;  // depends on classes that a loss has drawn
    NodeFlags m_steered;  // depends on a gradient
    NodeFlags m_trained;  // a variable that gradients change
    NodeFlags m_learned;  // depends on such a variable
    NodeFlags m_serves;   // leads to a loss: gradients read it, or what it is computed from
    std::vector<Part> m_part;
    NodeFlags m_isSettled;
    std::vector<Part> m_beside; // by node: the part of its neighbors in the file
    NodeFlags m_isResult;
    mutable std::unordered_map<std::uint32_t, std::optional<Part>> m_partOfSwitch;
    mutable std::unordered_map<std::uint32_t, bool> m_loopServes; // by the loop's condition
    mutable std::unordered_map<const Function*, Effects> m_effects;
    bool m_hasNetworkResult = false;
    bool m_hasLabels = false;
    bool m_hasPipeline = false;
    bool m_trains = false;
    bool m_judges = false; // the graph trains, or keeps running measures
};

} // namespace lapidary
