// SPDX-License-Identifier: Apache-2.0
#include "transforms/sparse/weight_removal.h"

#include "transforms/edits/kept_nodes.h"
#include "transforms/pass/interface_names.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

// These ops are useless without one of their operands.
constexpr std::array pointless{std::string_view("Assign"), std::string_view("Equal"),
                               std::string_view("Mean"), std::string_view("Reshape"),
                               std::string_view("ScalarSummary")};

// Returns whether a converted gather still reads an input: not its weights and its axis.
bool isKeptSlot(std::span<const Endpoint> inputs, std::size_t slot)
{
    return inputs[slot].isControl() || slot == 1 || slot > 2;
}

std::vector<std::string> dataInputs(const NodeDraft& draft)
{
    std::vector<std::string> inputs;
    for (const std::string& input : draft.inputs)
        if (!input.starts_with('^'))
            inputs.push_back(input);
    return inputs;
}

} // namespace

WeightRemoval::WeightRemoval(const Graph& graph, const PassArgs& args,
                             const std::vector<ColumnWeight>& weights)
    : m_graph(graph)
    , m_isFixed(graph.size(), false)
    , m_isGather(graph.size(), false)
{
    m_state.isGone.resize(graph.size(), false);
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        m_state.readers.push_back(graph.consumers(NodeId{i}).size());
    for (const std::string& name : interfaceNodes(args))
        if (const NodeId id = graph.find(name); id.isValid())
            m_isFixed[id.value] = true;
    findNeeded(args, weights);
}

// Returns the nodes that the outputs depend on, once gathers do not read their weights. Without
// outputs, every node without readers counts as one.
void WeightRemoval::findNeeded(const PassArgs& args, const std::vector<ColumnWeight>& weights)
{
    std::vector<bool> isGather(m_graph.size(), false);
    for (const ColumnWeight& weight : weights)
        for (const NodeId gather : weight.gathers)
            isGather[gather.value] = true;
    std::vector<NodeId> open;
    for (const std::string& output : args.outputs)
        if (const NodeId id = m_graph.find(nodeOfInput(output)); id.isValid())
            open.push_back(id);
    for (std::uint32_t i = 0; args.outputs.empty() && i < m_graph.size(); ++i)
        if (m_graph.consumers(NodeId{i}).empty() && m_graph.node(NodeId{i}).op() != "NoOp")
            open.push_back(NodeId{i});
    m_isNeeded =
        reachedNodes(m_graph.size(), std::move(open), [&](NodeId id, std::vector<NodeId>& next) {
            const auto inputs = m_graph.inputs(id);
            for (std::size_t slot = 0; slot < inputs.size(); ++slot)
                if (inputs[slot].node.isValid() &&
                    (!isGather[id.value] || isKeptSlot(inputs, slot)))
                    next.push_back(inputs[slot].node);
        });
}

std::string WeightRemoval::remove(const ColumnWeight& weight)
{
    m_undo = {};
    std::string why;
    for (const NodeId gather : weight.gathers) {
        const auto inputs = m_graph.inputs(gather);
        m_isFixed[gather.value] = true;
        m_isGather[gather.value] = true;
        countOff(inputs[0].node);
        if (inputs.size() > 2 && !isKeptSlot(inputs, 2) && why.empty())
            why = release(inputs[2].node);
    }
    for (const NodeId read : weight.reads)
        if (why.empty() && !m_state.isGone[read.value])
            why = condemn(read);
    if (why.empty() && !m_state.isGone[weight.weights.value])
        why = condemn(weight.weights);
    while (why.empty() && !m_state.open.empty()) {
        const NodeId gone = m_state.open.back();
        m_state.open.pop_back();
        for (const Consumer& consumer : m_graph.consumers(gone)) {
            const NodeId reader = consumer.node;
            if (why.empty() && !m_state.isGone[reader.value] && !m_isGather[reader.value])
                why = dropInput(reader, gone);
        }
    }
    for (const NodeId gather : weight.gathers)
        m_isGather[gather.value] = false;
    if (!why.empty())
        undo();
    return why;
}

void WeightRemoval::countOff(NodeId producer)
{
    --m_state.readers[producer.value];
    m_undo.released.push_back(producer);
}

void WeightRemoval::keepDraft(NodeId id)
{
    const auto changed = m_state.changed.find(id);
    m_undo.changed.try_emplace(id, changed == m_state.changed.end()
                                       ? std::nullopt
                                       : std::optional<NodeDraft>(changed->second));
}

void WeightRemoval::undo()
{
    for (const NodeId id : m_undo.gone)
        m_state.isGone[id.value] = false;
    for (const NodeId id : m_undo.released)
        ++m_state.readers[id.value];
    for (auto& [id, draft] : m_undo.changed)
        if (draft)
            m_state.changed[id] = *std::move(draft);
        else
            m_state.changed.erase(id);
    m_state.open.clear();
}

std::string WeightRemoval::condemn(NodeId id)
{
    const std::string name(m_graph.node(id).name());
    if (m_isNeeded[id.value] || m_isFixed[id.value])
        return "the outputs need " + name;
    m_state.isGone[id.value] = true;
    m_undo.gone.push_back(id);
    m_state.open.push_back(id);
    const auto changed = m_state.changed.find(id);
    std::vector<NodeId> producers;
    if (changed == m_state.changed.end()) {
        for (const Endpoint& from : m_graph.inputs(id))
            if (!from.isControl())
                producers.push_back(from.node);
    } else {
        for (const std::string& input : dataInputs(changed->second))
            producers.push_back(m_graph.find(parseInput(input).node));
        keepDraft(id);
        m_state.changed.erase(changed);
    }
    for (const NodeId producer : producers)
        if (std::string why = release(producer); !why.empty())
            return why;
    return "";
}

// Counts one reader less; nodes without readers are removed too.
std::string WeightRemoval::release(NodeId producer)
{
    if (!producer.isValid() || m_state.isGone[producer.value])
        return "";
    if (m_state.readers[producer.value] == 0)
        return "";
    countOff(producer);
    if (m_state.readers[producer.value] > 0)
        return "";
    const bool stays = m_isFixed[producer.value] || m_isNeeded[producer.value] ||
                       m_graph.node(producer).op() == "RestoreV2";
    return stays ? "" : condemn(producer);
}

std::string WeightRemoval::dropInput(NodeId reader, NodeId gone)
{
    const Node& node = m_graph.node(reader);
    if (m_isNeeded[reader.value])
        return std::string(node.name()) + ", which the outputs need, reads it too";
    const auto changed = m_state.changed.find(reader);
    NodeDraft draft = changed == m_state.changed.end() ? NodeDraft::of(node) : changed->second;
    const std::size_t dataBefore = dataInputs(draft).size();
    std::erase_if(draft.inputs, [&](const std::string& input) {
        return parseInput(input).node == m_graph.node(gone).name();
    });
    const std::size_t dataLeft = dataInputs(draft).size();
    if (draft.inputs.empty() ||
        (dataLeft < 2 && dataLeft < dataBefore && std::ranges::count(pointless, draft.op) > 0)) {
        keepDraft(reader);
        m_state.changed[reader] = std::move(draft);
        return condemn(reader);
    }
    if (dataLeft < dataBefore)
        if (std::string why = settle(reader, draft); !why.empty())
            return why;
    if (!m_state.isGone[reader.value]) {
        keepDraft(reader);
        m_state.changed[reader] = std::move(draft);
    }
    return "";
}

std::string WeightRemoval::settle(NodeId id, NodeDraft& draft)
{
    if (draft.op == "ConcatV2")
        return shrinkConcat(id, draft);
    return draft.name + " reads it too";
}

std::string WeightRemoval::shrinkConcat(NodeId id, NodeDraft& draft)
{
    const std::vector<std::string> inputs = dataInputs(draft);
    if (inputs.size() > 2) {
        draft.setAttr("N", attr::fromInt(std::int64_t(inputs.size()) - 1));
        return "";
    }
    if (inputs.size() == 1) { // only the axis is left
        keepDraft(id);
        m_state.changed[id] = draft;
        return condemn(id);
    }
    const NodeId axis = m_graph.find(parseInput(inputs.back()).node);
    if (axis.isValid() && m_state.readers[axis.value] > 1)
        return "the axis of " + draft.name + " is also read elsewhere";
    std::erase(draft.inputs, inputs.back());
    draft.op = "Identity";
    draft.removeAttr("N");
    draft.removeAttr("Tidx");
    return release(axis);
}

} // namespace lapidary
