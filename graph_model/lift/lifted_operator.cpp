// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lifted_operator.h"

namespace lapidary {

void LiftedOperator::setNode(NodeId id)
{
    m_id = id;
    m_slots.clear();
    const Ints leftOut = intsAttr("_left_out");
    std::size_t next = 0;
    for (std::size_t place = 0; place < node().inputs().size(); ++place) {
        while (next < leftOut.size() && leftOut[next] == std::int64_t(m_slots.size())) {
            m_slots.emplace_back();
            ++next;
        }
        m_slots.emplace_back(place);
    }
}

bool LiftedOperator::has(std::size_t slot) const
{
    return slot < m_slots.size() && m_slots[slot].has_value();
}

std::optional<Endpoint> LiftedOperator::endpoint(std::size_t slot) const
{
    if (!has(slot))
        return std::nullopt;
    const Endpoint from = m_source.inputs(m_id)[*m_slots[slot]];
    return from.node.isValid() && !from.isControl() ? std::optional(from) : std::nullopt;
}

std::string_view LiftedOperator::inputText(std::size_t slot) const
{
    return has(slot) ? node().inputs()[*m_slots[slot]].text : std::string_view();
}

std::int64_t LiftedOperator::intAttr(std::string_view name, std::int64_t standard) const
{
    return node().attr(name).asInt().value_or(standard);
}

float LiftedOperator::floatAttr(std::string_view name, float standard) const
{
    return node().attr(name).asFloat().value_or(standard);
}

std::string_view LiftedOperator::textAttr(std::string_view name) const
{
    return node().attr(name).asString().value_or("");
}

const StoredScales* LiftedOperator::inScales(std::size_t slot) const
{
    const auto from = endpoint(slot);
    return from ? scalesOf(*from) : nullptr;
}

const StoredScales* LiftedOperator::outScales(std::size_t port) const
{
    return scalesOf({m_id, std::int32_t(port)});
}

std::int64_t LiftedOperator::opset() const
{
    constexpr std::int64_t latest = 16; // or later: the reader stores only earlier ones
    return intAttr("_opset", latest);
}

} // namespace lapidary
