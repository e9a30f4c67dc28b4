// SPDX-License-Identifier: Apache-2.0
// Parts of nodes that belong to no result and no effect: loops and conditions stay together, other
// nodes belong to the part that they serve, and unconnected nodes to that of their neighbors in the
// file.
#include "graph_model/interface/first_readers.h"
#include "graph_model/interface/part_finder.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

using Mask = std::uint8_t; // a bit for each part
constexpr Mask bit(Part part)
{
    return Mask(1U << unsigned(part));
}

// A node that serves several parts belongs to the first of these.
constexpr std::array<Part, partCount> byImportance{Part::Network,   Part::Loss,     Part::Gradients,
                                                   Part::Optimizer, Part::Pipeline, Part::Summaries,
                                                   Part::Saving};

} // namespace

// Returns whether a node signals which branch of a condition runs: the switch of the condition
// itself, a node that passes on one of its two outputs, or a copy of the predicate.
bool PartFinder::marksBranch(NodeId id) const
{
    const auto inputs = m_graph.inputs(id);
    if (!m_judges || inputs.empty() || inputs[0].isControl() || !inputs[0].node.isValid())
        return false;
    const auto decides = [this](NodeId at) {
        const auto tested = m_graph.inputs(at);
        return isSwitch(m_graph.node(at).op()) && tested.size() > 1 && tested[0] == tested[1];
    };
    const auto isTested = [&](const Consumer& reader) { return decides(reader.node); };
    const bool isCopy = isPassThrough(m_graph.node(id).op());
    return decides(id) ||
           (isCopy && (decides(inputs[0].node) ||
                       std::ranges::any_of(firstReaders(m_graph, inputs[0].node), isTested)));
}

// Returns whether a node belongs to a loop or condition, which is in one part, with its unread
// values.
bool PartFinder::isInFrame(NodeId id) const
{
    const std::string_view op = m_graph.node(id).op();
    return m_judges && (isExit(op) || isMerge(op));
}

void PartFinder::settleLoops()
{
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const NodeId id{i};
        if (m_isSettled[i] || !isInFrame(id))
            continue;
        const auto inputs = m_graph.inputs(id);
        const auto isOfNetwork = [this](const Endpoint& input) {
            return !input.isControl() && input.node.isValid() && m_isSettled[input.node.value] &&
                   m_part[input.node.value] == Part::Network;
        };
        if (isMerge(m_graph.node(id).op())) {
            if (std::ranges::all_of(inputs, isOfNetwork))
                settle(id, Part::Network);
        } else if (!inputs.empty() && inputs[0].node.isValid()) {
            NodeId inside = inputs[0].node; // the switch of the value, else the loop's end
            const auto ofSwitch = m_graph.inputs(inside);
            if (!m_isSettled[inside.value] && ofSwitch.size() > 1 && ofSwitch[1].node.isValid())
                inside = ofSwitch[1].node;
            if (m_isSettled[inside.value])
                settle(id, m_part[inside.value]);
        }
    }
}

// Gives the remaining nodes the part of their direct or indirect readers.
void PartFinder::settleServants()
{
    std::vector<Mask> serves(m_graph.size(), 0);
    std::vector<std::pair<NodeId, Mask>> open;
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        if (!m_isSettled[i] && m_measured[i])
            settle(NodeId{i}, Part::Loss); // depends on the labels
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        if (m_isSettled[i])
            open.emplace_back(NodeId{i}, bit(m_part[i]));
    while (!open.empty()) {
        const auto [id, mask] = open.back();
        open.pop_back();
        for (const Endpoint& input : m_graph.inputs(id)) {
            if (input.isControl() || !input.node.isValid() || m_isSettled[input.node.value])
                continue;
            const Mask added = Mask(mask & ~serves[input.node.value]);
            if (added == 0)
                continue;
            serves[input.node.value] |= added;
            open.emplace_back(input.node, added);
        }
    }
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const auto first = std::ranges::find_if(
            byImportance, [&](Part part) { return (serves[i] & bit(part)) != 0; });
        if (m_isSettled[i] || first == byImportance.end())
            continue;
        // A node that gradients read but that is none belongs to the loss; one that is only fed to
        // them does not.
        const bool isOfLoss = *first == Part::Gradients && !m_kinds[i].isSource;
        settle(NodeId{i}, isOfLoss ? Part::Loss : *first);
    }
}

// Returns the part of a node without a value: that of the nodes for which it waits, with the
// network last.
Part PartFinder::partByControl(NodeId id) const
{
    std::array<std::uint32_t, partCount> counts{};
    for (const Endpoint& input : m_graph.inputs(id))
        if (input.node.isValid() && m_isSettled[input.node.value])
            ++counts[std::size_t(m_part[input.node.value])];
    counts[std::size_t(Part::Network)] = 0;
    const auto most = std::ranges::max_element(counts);
    if (*most > 0)
        return Part(most - counts.begin());
    for (const Consumer& reader : m_graph.consumers(id))
        if (m_isSettled[reader.node.value])
            return m_part[reader.node.value];
    return m_kinds[id.value].isVoid || m_judges ? Part::Saving : Part::Network;
}

// Returns the part of a condition: that of most nodes that wait for its branches, else that of its
// neighbors in the file.
Part PartFinder::partOfBranch(NodeId id) const
{
    NodeId decides = id;
    constexpr int farEnough = 3; // between a merge and its switch
    for (int hop = 0; hop < farEnough && !isSwitch(m_graph.node(decides).op()); ++hop) {
        const auto inputs = m_graph.inputs(decides);
        if (inputs.empty() || inputs[0].isControl() || !inputs[0].node.isValid())
            return partBeside(id);
        decides = inputs[0].node;
    }
    const auto [known, isNew] = m_partOfSwitch.try_emplace(decides.value);
    if (isNew)
        known->second = partOfSwitch(decides);
    return known->second ? *known->second : partBeside(id);
}

// Returns nothing if no node waits for the switch.
std::optional<Part> PartFinder::partOfSwitch(NodeId decides) const
{
    std::array<std::uint32_t, partCount> counts{};
    const auto countReaders = [&](NodeId of) {
        for (const Consumer& reader : m_graph.consumers(of))
            if (m_isSettled[reader.node.value])
                ++counts[std::size_t(m_part[reader.node.value])];
    };
    countReaders(decides);
    for (const Consumer& reader : firstReaders(m_graph, decides))
        countReaders(reader.node);
    const auto tested = m_graph.inputs(decides);
    if (!marksBranch(decides) && tested.size() > 1 && tested[1].node.isValid())
        countReaders(tested[1].node);
    const auto most = std::ranges::max_element(counts);
    return *most > 0 ? std::optional(Part(most - counts.begin())) : std::nullopt;
}

// Returns the part of the neighbors in the file, for unconnected nodes such as a size that was
// computed in advance: nodes are written in the order in which they were made.
Part PartFinder::partBeside(NodeId id) const
{
    return m_beside[id.value];
}

void PartFinder::lookBeside()
{
    m_beside.assign(m_graph.size(), Part::Saving);
    Part near = Part::Saving;
    for (std::size_t i = 0; i < m_graph.size(); ++i) // the last part of all, for later nodes
        near = m_isSettled[i] ? m_part[i] : near;
    for (std::size_t i = m_graph.size(); i-- > 0;) {
        m_beside[i] = near;
        near = m_isSettled[i] ? m_part[i] : near;
    }
}

// Returns whether a node without readers is part of a condition or passes one of its values on.
bool PartFinder::isInCondition(NodeId id) const
{
    const std::string_view op = m_graph.node(id).op();
    const auto inputs = m_graph.inputs(id);
    const bool readsSwitch =
        !inputs.empty() && inputs[0].node.isValid() && isSwitch(m_graph.node(inputs[0].node).op());
    return m_judges &&
           (marksBranch(id) || isMerge(op) || isSwitch(op) || (isPassThrough(op) && readsSwitch));
}

// Returns the part of an unread read of a weight: that of the nodes around the read, if these are
// of one part. Every variable has such a read beside its initializer, however.
Part PartFinder::partOfWeight(NodeId id, NodeId weight) const
{
    const std::size_t next = id.value + 1;
    const bool isBetween = id.value > 0 && next < m_graph.size() && m_isSettled[id.value - 1] &&
                           m_isSettled[next] && m_part[id.value - 1] == m_part[next] &&
                           m_part[next] != Part::Saving;
    if (isBetween && weight != id && m_graph.consumers(id).empty())
        return m_part[next];
    if (weight != id && m_isSettled[weight.value])
        return m_part[weight.value];
    return m_trains ? Part::Optimizer : Part::Saving;
}

void PartFinder::settleRest()
{
    std::vector<NodeId> loose;
    for (const NodeId id : m_order) {
        if (m_isSettled[id.value])
            continue;
        const NodeId weight = weightBehind(id);
        const auto readers = m_graph.consumers(id);
        const bool isSignal =
            !readers.empty() && std::ranges::all_of(readers, &Consumer::isControl);
        const bool isLoose = m_judges && !m_kinds[id.value].isVoid && !isSignal &&
                             !isPassThrough(m_graph.node(id).op());
        const bool isConditional = isInCondition(id);
        if (!isConditional && weight.isValid() && !(isSignal && !m_kinds[id.value].isVariable))
            settle(id, partOfWeight(id, weight));
        else if (isConditional || isLoose)
            loose.push_back(id);
        else
            settle(id, partByControl(id));
    }
    settleLoose(loose);
}

// Settles a node that only signals that one of two branches has run: it belongs to the nodes that
// wait for it.
bool PartFinder::settleSignal(NodeId id)
{
    const auto readers = m_graph.consumers(id);
    if (!isMerge(m_graph.node(id).op()) || !std::ranges::all_of(readers, &Consumer::isControl))
        return false;
    std::array<std::uint32_t, partCount> counts{};
    for (const Consumer& reader : readers)
        if (m_isSettled[reader.node.value])
            ++counts[std::size_t(m_part[reader.node.value])];
    const auto most = std::ranges::max_element(counts);
    if (*most > 0)
        settle(id, Part(most - counts.begin()));
    return *most > 0;
}

void PartFinder::settleLoose(const std::vector<NodeId>& loose)
{
    std::vector<NodeId> alone;
    std::vector<Part> found;
    for (const NodeId id : loose) {
        if (settleSignal(id))
            continue;
        const auto inputs = m_graph.inputs(id);
        const bool continues = !m_kinds[id.value].asksForSize && !inputs.empty() &&
                               !inputs[0].isControl() && inputs[0].node.isValid() &&
                               m_isSettled[inputs[0].node.value];
        if (continues && !isInCondition(id))
            settle(id, m_part[inputs[0].node.value]);
        else
            alone.push_back(id);
    }
    settleServants();
    std::erase_if(alone, [this](NodeId id) { return m_isSettled[id.value]; });
    lookBeside();
    for (const NodeId id : alone)
        found.push_back(isInCondition(id) ? partOfBranch(id) : partBeside(id));
    for (std::size_t i = 0; i < alone.size(); ++i)
        settle(alone[i], found[i]);
}

// Moves constants out of the network that are tied to nothing else, with what is computed from them
// alone, such as the states that a wrapper of a cell makes beside those that the cell begins with.
void PartFinder::releaseIdle()
{
    NodeFlags isIdle(m_graph.size(), false);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const OpKinds& kinds = m_kinds[i];
        const bool isFixed = isConstant(m_graph.node(NodeId{i}).op()) ||
                             (kinds.effect == OpEffect::None && !kinds.isSource && !kinds.isVoid &&
                              !m_graph.inputs(NodeId{i}).empty());
        isIdle[i] = isFixed && !kinds.isVariable && !m_isResult[i] && m_part[i] == Part::Network;
    }
    std::vector<NodeId> open; // nodes that tie their neighbors to the network
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        if (!isIdle[i])
            open.push_back(NodeId{i});
    const auto tie = [&](NodeId id) {
        if (id.isValid() && isIdle[id.value]) {
            isIdle[id.value] = false;
            open.push_back(id);
        }
    };
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        for (const Endpoint& input : m_graph.inputs(id))
            tie(input.node);
        for (const Consumer& reader : m_graph.consumers(id))
            tie(reader.node);
    }
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        if (isIdle[i])
            m_part[i] = Part::Saving;
}

} // namespace lapidary
