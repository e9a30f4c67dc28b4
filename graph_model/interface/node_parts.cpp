// SPDX-License-Identifier: Apache-2.0
// Ops that are run for their effect have a part of their own. The network consists of the nodes
// that lead to a result or to a layer with weights, except gradients. The remaining nodes have the
// part of the nodes that they serve (part_remainder.cpp).
#include "graph_model/interface/node_parts.h"

#include "graph_model/interface/first_readers.h"
#include "graph_model/interface/part_finder.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <unordered_set>

namespace lapidary {
namespace {

// Returns whether a node is a list of one value, as is made before a measure.
bool isLonePack(const Graph& graph, NodeId id)
{
    return graph.node(id).op() == "Pack" && graph.inputs(id).size() == 1;
}

} // namespace

NodeParts PartFinder::run()
{
    lookForwards();
    settleEffects();
    findLayers();
    findMeasures();
    settleAssignments();
    settleNetwork();
    settleEnds();
    settleLoops();
    settleServants();
    settleLoops();
    settleServants();
    settleRest();
    if (m_judges)
        releaseIdle();
    NodeParts parts;
    for (const Part part : m_part)
        ++parts.counts[std::size_t(part)];
    parts.of = std::move(m_part);
    return parts;
}

// A function that saves or restores does so for the model that calls it; a condition with an
// assertion in one of its branches only checks, if its value is unused.
bool PartFinder::callsToSave(NodeId id) const
{
    return callsTo(id, CallKind::Call, OpEffect::Save);
}

bool PartFinder::callsToCheck(NodeId id) const
{
    return callsTo(id, CallKind::Branch, OpEffect::Check) && !isUsed(id);
}

// Returns whether a variable's value is a result of the model.
bool PartFinder::isResult(NodeId variable) const
{
    return std::ranges::any_of(m_results, [&](NodeId id) { return weightBehind(id) == variable; });
}

Part PartFinder::partOfAssignment(NodeId id) const
{
    auto inputs = m_graph.inputs(id);
    while (!inputs.empty() && inputs.back().isControl())
        inputs = inputs.first(inputs.size() - 1);
    const NodeId value = inputs.size() > 1 ? inputs.back().node : NodeId{};
    if (!value.isValid() || m_restored[value.value])
        return Part::Saving;
    if (m_steered[value.value])
        return Part::Optimizer;
    if (m_measured[value.value])
        return Part::Loss;
    // In a graph that is only evaluated, an accumulated value is a measure, and a replaced one a
    // state.
    const std::string_view op = m_graph.node(id).op();
    const NodeId changed = inputs[0].node; // invalid if the graph lacks it
    const bool addsUp = op.starts_with("Assign") && op.find("Add") != std::string_view::npos;
    if (m_content[value.value] && !m_trains)
        return addsUp && !isResult(changed) ? Part::Loss : Part::Network;
    if (m_content[value.value])
        return Part::Optimizer;
    const bool isVariable = changed.isValid() && m_kinds[changed.value].isVariable;
    const bool steps = op != "Assign" && !isVariable;
    return m_trains && (m_weighted[value.value] || steps || (addsUp && waitsForTraining(id)))
               ? Part::Optimizer
               : Part::Saving;
}

// Returns whether a step is counted after the weights were changed.
bool PartFinder::waitsForTraining(NodeId id) const
{
    constexpr int farEnough = 3;
    constexpr std::size_t mostNodes = 1000;
    std::vector<NodeId> open{id};
    std::unordered_set<std::uint32_t> seen{id.value}; // a node may wait for another several times
    for (int hop = 0; hop <= farEnough && seen.size() < mostNodes; ++hop) {
        std::vector<NodeId> next;
        for (const NodeId at : open)
            for (const Endpoint& input : m_graph.inputs(at)) {
                if (!input.node.isValid())
                    continue;
                const OpKinds& kinds = m_kinds[input.node.value];
                if (input.isControl() &&
                    (kinds.effect == OpEffect::Train || m_steered[input.node.value]))
                    return true;
                if ((kinds.isVoid || !input.isControl()) && seen.insert(input.node.value).second)
                    next.push_back(input.node);
            }
        open = std::move(next);
    }
    return false;
}

Part PartFinder::partOfEffect(NodeId id) const
{
    switch (m_kinds[id.value].effect) {
    case OpEffect::Save:
    case OpEffect::Assign: // until settleAssignments
    case OpEffect::Scatter: return Part::Saving;
    case OpEffect::Train: return Part::Optimizer;
    case OpEffect::Queue: return Part::Pipeline;
    default: return Part::Summaries;
    }
}

// Called when measures are known.
void PartFinder::settleAssignments()
{
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        if (m_kinds[i].effect == OpEffect::Assign || m_kinds[i].effect == OpEffect::Scatter)
            settle(NodeId{i}, partOfAssignment(NodeId{i}));
}

void PartFinder::settleEffects()
{
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const NodeId id{i};
        const bool isRead = std::ranges::any_of(
            m_graph.consumers(id), [](const Consumer& reader) { return !reader.isControl(); });
        const bool passesOn = isRead && isPassThrough(m_graph.node(id).op()); // Print
        if (m_gradients[i])
            settle(id, Part::Gradients);
        else if (callsToSave(id))
            settle(id, Part::Saving);
        else if (callsToCheck(id))
            settle(id, Part::Summaries);
        else if (m_kinds[i].effect != OpEffect::None && !passesOn)
            settle(id, partOfEffect(id));
        m_hasPipeline = m_hasPipeline || m_kinds[i].effect == OpEffect::Queue;
    }
}

// Returns whether a presumed result can be one of the network.
bool PartFinder::isGoal(NodeId id) const
{
    const std::size_t i = id.value;
    if (!m_judges)
        return !m_restored[i] && (m_content[i] || m_weighted[i]);
    return m_content[i] && m_weighted[i] && !m_measured[i] && !m_restored[i] && !awaitsAside(id);
}

// Returns whether a node waits for something beside the network, such as a signal for the end of a
// save.
bool PartFinder::awaitsAside(NodeId id) const
{
    return std::ranges::any_of(m_graph.inputs(id), [this](const Endpoint& input) {
        return input.isControl() && input.node.isValid() && m_isSettled[input.node.value] &&
               m_part[input.node.value] != Part::Network;
    });
}

// Returns whether a value is compared for equality with a label, so that it is a prediction.
bool PartFinder::isPredicted(NodeId id) const
{
    if (m_measured[id.value] || !m_content[id.value] || !m_weighted[id.value])
        return false;
    return std::ranges::any_of(m_graph.consumers(id), [this](const Consumer& reader) {
        const std::string_view op = m_graph.node(reader.node).op();
        return !reader.isControl() && m_measured[reader.node.value] &&
               (op == "Equal" || op == "NotEqual" || op.starts_with("InTopK"));
    });
}

// Returns the value that enters a loop: a loop that compares the examples one by one is a metric,
// so that value is a prediction.
NodeId PartFinder::beforeLoop(NodeId id) const
{
    constexpr int farEnough = 6;
    NodeId at = id;
    for (int hop = 0; hop < farEnough; ++hop) {
        const auto inputs = m_graph.inputs(at);
        if (inputs.empty() || inputs[0].isControl() || !inputs[0].node.isValid())
            return id;
        if (isEnter(m_graph.node(at).op()))
            return inputs[0].node;
        at = inputs[0].node;
    }
    return id;
}

// If nothing is trained, the named results are results regardless of comparisons.
void PartFinder::growResults(NodeFlags& network)
{
    std::vector<NodeId> results;
    for (const NodeId id : m_results)
        if (!m_isSettled[id.value])
            results.push_back(id);
    NodeFlags measured(m_graph.size(), false);
    m_measured.swap(measured);
    growUp(std::move(results), network);
    m_measured.swap(measured);
}

void PartFinder::settleNetwork()
{
    std::vector<NodeId> ends;
    for (const NodeId id : m_results)
        if (isGoal(id))
            ends.push_back(id);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        if (isPredicted(NodeId{i}))
            ends.push_back(beforeLoop(NodeId{i}));
        else if (isCompleted(NodeId{i}))
            ends.push_back(NodeId{i});
    NodeFlags network = m_layers;
    growUp(std::move(ends), network);
    if (!m_trains)
        growResults(network);
    if (m_judges || m_results.empty())
        conclude(network);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        if (network[i])
            settle(NodeId{i}, Part::Network);
}

// If nothing is trained, the known results are complete: any other value without readers is for
// people.
bool PartFinder::hasResultsOnly() const
{
    return !m_trains && m_hasNetworkResult;
}

// Returns whether a value is an unused by-product of a loop that the loss needs, such as that of a
// random field.
bool PartFinder::isLeftByLoss(NodeId id) const
{
    constexpr int farEnough = 6;
    for (int hop = 0; hop < farEnough && id.isValid() && !m_isSettled[id.value]; ++hop) {
        auto inputs = m_graph.inputs(id);
        while (!inputs.empty() && inputs.back().isControl())
            inputs = inputs.first(inputs.size() - 1);
        if (inputs.empty())
            return false;
        if (isExit(m_graph.node(id).op()))
            return loopServes(inputs[0].node);
        const bool isGathered = m_graph.node(id).op().starts_with("TensorArray"); // flow is last
        id = isGathered ? inputs.back().node : inputs[0].node;
    }
    return false;
}

bool PartFinder::loopServes(NodeId ofValue) const
{
    const auto inputs = ofValue.isValid() ? m_graph.inputs(ofValue) : std::span<const Endpoint>();
    if (inputs.size() < 2 || !inputs[1].node.isValid() || m_isSettled[ofValue.value])
        return false;
    const auto isServing = [this](const Consumer& reader) {
        return isExit(m_graph.node(reader.node).op()) && m_serves[reader.node.value];
    };
    const auto [known, isNew] = m_loopServes.try_emplace(inputs[1].node.value);
    if (isNew)
        known->second =
            std::ranges::any_of(m_graph.consumers(inputs[1].node), [&](const Consumer& value) {
                return std::ranges::any_of(firstReaders(m_graph, value.node), isServing);
            });
    return known->second;
}

// Returns whether an unread value that depends on weights is a result and not a loss: a loss is a
// sum of values with gradients.
bool PartFinder::isLaterResult(NodeId id) const
{
    if (!m_serves[id.value])
        return isGoal(id) || (m_kinds[id.value].isHeavy && !m_content[id.value]);
    return isGoal(id) && m_hasLabels && !m_kinds[id.value].addsUp && !isLeftByLoss(id);
}

Part PartFinder::partOfEnd(NodeId id) const
{
    const std::size_t i = id.value;
    if (!m_trains && m_isResult[i])
        return Part::Network;
    if (hasResultsOnly() && !m_restored[i] && !m_kinds[i].isSource) {
        if (isActivation(m_graph.node(id).op()))
            return Part::Network; // of a layer, unused
        return m_judges && m_weighted[i] && m_content[i] ? Part::Loss : Part::Summaries;
    }
    if (m_restored[i])
        return Part::Saving;
    const auto inputs = m_graph.inputs(id);
    if (m_judges && isLonePack(m_graph, id))
        return Part::Loss; // of a result, to get its rank
    if (m_judges && isPassThrough(m_graph.node(id).op()) && !inputs.empty() &&
        inputs[0].node.isValid() && isSwitch(m_graph.node(inputs[0].node).op()))
        return Part::Summaries; // the unused end of a branch
    if (m_trains && m_weighted[i] && !m_content[i] && !m_learned[i] && !m_kinds[i].isHeavy)
        return Part::Optimizer; // of counted steps: a decaying rate
    if (m_judges && m_weighted[i])
        return isLaterResult(id) ? Part::Network : Part::Loss; // or a penalty on weights
    const auto isInside = [this](const Endpoint& input) {
        return !input.isControl() && input.node.isValid() && !m_kinds[input.node.value].isSource &&
               m_isSettled[input.node.value] && m_part[input.node.value] == Part::Network;
    };
    if (m_judges && m_content[i] && std::ranges::any_of(inputs, isInside))
        return Part::Network;
    if (m_judges && m_content[i])
        return m_hasPipeline ? Part::Pipeline : Part::Loss; // labels and the like
    return Part::Network;
}

// Returns whether a value has the size of a result and nothing else of it: it was the first step of
// an unused gradient.
bool PartFinder::isBlankOfResult(NodeId id) const
{
    const auto inputs = m_graph.inputs(id);
    return m_trains && m_kinds[id.value].isBlank && !inputs.empty() && !inputs[0].isControl() &&
           inputs[0].node.isValid() && m_content[inputs[0].node.value] &&
           m_weighted[inputs[0].node.value];
}

// Marks values after the network that have a gradient, and values computed from these: this holds
// for a loss but not for a prediction.
void PartFinder::findServing()
{
    m_serves.assign(m_graph.size(), false);
    for (const NodeId id : m_order) {
        const std::size_t i = id.value;
        if (m_isSettled[i])
            continue;
        m_serves[i] = std::ranges::any_of(m_graph.consumers(id), [this](const Consumer& reader) {
            return !reader.isControl() && m_gradients[reader.node.value];
        });
        for (const Endpoint& input : m_graph.inputs(id))
            m_serves[i] =
                m_serves[i] || (!input.isControl() && input.node.isValid() &&
                                m_content[input.node.value] && m_serves[input.node.value]);
    }
}

// Settles the first step of an unused gradient, and the node that passes it into a loop of
// gradients. Returns false for other nodes.
bool PartFinder::settleUnusedGradient(NodeId id)
{
    const auto inputs = m_graph.inputs(id);
    const bool isFirst = isBlankOfResult(id);
    const bool enters = !isFirst && isEnter(m_graph.node(id).op()) && !inputs.empty() &&
                        inputs[0].node.isValid() && !m_isSettled[inputs[0].node.value] &&
                        isBlankOfResult(inputs[0].node);
    if (isFirst || enters)
        settle(id, Part::Gradients);
    if (enters)
        settle(inputs[0].node, Part::Gradients);
    return isFirst || enters;
}

// Returns whether a node for which others wait has no other purpose.
bool PartFinder::isOnlyAwaited(NodeId id) const
{
    const std::string_view op = m_graph.node(id).op();
    const bool passesOn = isPassThrough(op);
    const bool isMeasure =
        m_judges && m_weighted[id.value] && m_content[id.value] && !isMerge(op) && !passesOn;
    return !m_kinds[id.value].isSource && !isMeasure && !(passesOn && awaitsAside(id));
}

// Returns whether an unread node is left to the nodes for which it waits.
bool PartFinder::isLeftToAwaited(NodeId id) const
{
    const std::size_t i = id.value;
    const bool waits = std::ranges::any_of(m_graph.inputs(id), &Endpoint::isControl);
    if (waits && isPassThrough(m_graph.node(id).op()) && awaitsAside(id))
        return true;
    const bool isIdle = !m_content[i] && !m_weighted[i] && !m_restored[i];
    return isIdle && !m_kinds[i].isFed && (m_judges || waits);
}

// Settles a node whose outputs no node reads, unless it is left to others. `isAwaited`: nodes wait
// for it.
void PartFinder::settleEnd(NodeId id, bool isAwaited)
{
    if (weightBehind(id).isValid()) {
        if (!isAwaited && readsWeightAgain(id))
            settle(id, Part::Saving);
    } else if (settleUnusedGradient(id)) {
        return;
    } else if (isAwaited && isOnlyAwaited(id)) {
        settle(id, Part::Summaries);
    } else if (!isLeftToAwaited(id)) {
        settle(id, partOfEnd(id));
    }
}

void PartFinder::settleEnds()
{
    findServing();
    std::vector<NodeId> more;
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const NodeId id{i};
        const auto readers = m_graph.consumers(id);
        const auto waiting = std::ranges::count_if(readers, &Consumer::isControl);
        if (m_isSettled[i] || std::size_t(waiting) < readers.size() || m_kinds[i].isVoid ||
            isInFrame(id) || marksBranch(id))
            continue;
        settleEnd(id, waiting > 0);
        if (m_isSettled[i] && m_part[i] == Part::Network)
            more.push_back(id);
    }
    NodeFlags network(m_graph.size(), false);
    for (const NodeId id : more)
        m_isSettled[id.value] = false;
    growUp(std::move(more), network);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        if (network[i])
            settle(NodeId{i}, Part::Network);
}

std::string_view partName(Part part)
{
    constexpr std::array<std::string_view, partCount> names{
        "network",        "loss and metrics",    "gradients",           "optimizer",
        "input pipeline", "save and initialize", "summaries and checks"};
    return names[std::size_t(part)];
}

NodeParts nodeParts(const Graph& graph, std::span<const NodeId> results)
{
    return PartFinder(graph, results).run();
}

} // namespace lapidary
