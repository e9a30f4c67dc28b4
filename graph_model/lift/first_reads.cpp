// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/first_reads.h"

#include "graph_model/graph/function.h"
#include "graph_model/graph/stored_scales.h"

#include <algorithm>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr std::int64_t mostElements = 1 << 24;

// Returns whether all elements of a constant represent 0.
bool isZero(const Graph& graph, NodeId id)
{
    if (!id.isValid() || graph.node(id).op() != "Const")
        return false;
    const auto tensor = graph.node(id).tensor();
    if (!tensor || tensor->elements() > mostElements)
        return false;
    const auto scales = storedScales(graph.node(id), 0);
    const double zero = scales && !scales->zeroPoints.empty() ? double(scales->zeroPoints[0]) : 0;
    constexpr std::int64_t atOnce = 1 << 16;
    for (std::int64_t first = 0; first < tensor->elements(); first += atOnce) {
        const auto values = tensor->numbers(first, std::min(first + atOnce, tensor->elements()));
        if (!values || !std::ranges::all_of(*values, [&](double value) { return value == zero; }))
            return false;
    }
    return true;
}

// Returns whether the function that runs once sets every variable to 0 and does not change any
// otherwise.
bool beginsWithZeros(const Function& function)
{
    const Graph& body = *function.body;
    std::unordered_set<std::uint32_t> zeros; // constants that were checked
    for (std::uint32_t i = 0; i < body.size(); ++i) {
        if (body.node(NodeId{i}).op() != "ASSIGN_VARIABLE")
            continue;
        const auto inputs = body.inputs(NodeId{i});
        if (inputs.size() != 2)
            return false;
        if (zeros.insert(inputs[1].node.value).second && !isZero(body, inputs[1].node))
            return false;
    }
    return true;
}

std::string_view fileName(const Node& node)
{
    const auto names = node.attr("_output_names").strings();
    return names.empty() ? node.name() : names.front();
}

} // namespace

FirstReads::FirstReads(const Graph& graph)
    : m_graph(graph)
{
    std::map<std::string, bool, std::less<>> areZeros; // by function
    for (std::uint32_t i = 0; i < graph.size() && m_unknown == never; ++i) {
        const Node& node = graph.node(NodeId{i});
        if (node.op() == "ASSIGN_VARIABLE") {
            const auto from = graph.inputs(NodeId{i});
            if (from.empty() || !from[0].node.isValid())
                m_unknown = i;
            else
                m_assigned.try_emplace(fileName(graph.node(from[0].node)), i);
        }
        if (node.op() != "CALL_ONCE" || graph.functions() == nullptr)
            continue;
        const auto name = node.attr("init_subgraph_index").asFunctionName();
        const FunctionPtr function = name ? graph.functions()->find(*name) : nullptr;
        if (function == nullptr) {
            m_unknown = i;
            continue;
        }
        const auto [known, isNew] = areZeros.try_emplace(std::string(*name));
        if (isNew)
            known->second = beginsWithZeros(*function);
        std::uint32_t& place = known->second ? m_set : m_unknown;
        place = std::min(place, i);
    }
}

bool FirstReads::contains(NodeId reader) const
{
    const auto inputs = m_graph.inputs(reader);
    if (inputs.size() != 1 || !inputs[0].node.isValid() || m_set >= reader.value ||
        m_unknown < reader.value)
        return false;
    const auto assigned = m_assigned.find(fileName(m_graph.node(inputs[0].node)));
    return assigned == m_assigned.end() || assigned->second > reader.value;
}

} // namespace lapidary
