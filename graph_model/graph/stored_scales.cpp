// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/stored_scales.h"

#include "graph_model/graph/attr_lists.h"

#include <string>
#include <unordered_set>

namespace lapidary {
namespace {

std::string ofPort(std::string_view attr, std::int32_t port)
{
    return std::string(attr) + (port == 0 ? "" : "_" + std::to_string(port));
}

std::optional<StoredScales> scalesIn(const Node& node, const std::string& scale,
                                     const std::string& zeroPoint, const std::string& axis)
{
    StoredScales stored{node.attr(scale).floats(), node.attr(zeroPoint).ints(),
                        node.attr(axis).asInt().value_or(0)};
    if (stored.scales.empty())
        return std::nullopt;
    stored.zeroPoints.resize(stored.scales.size());
    stored.encodedScales = attr::fromFloats(stored.scales);
    stored.encodedZeroPoints = attr::fromInts(stored.zeroPoints);
    return stored;
}

} // namespace

std::optional<StoredScales> storedScales(const Node& node, std::int32_t port)
{
    return scalesIn(node, ofPort("_scale", port), ofPort("_zero_point", port),
                    ofPort("_scale_axis", port));
}

void shareStoredScales(NodeDraft& made, const Node& from, std::size_t ports)
{
    std::unordered_set<std::string> known;
    for (const auto& [name, value] : made.attrs)
        known.insert(name);
    for (std::size_t port = 0; port < ports; ++port)
        for (const char* attr : {"_scale", "_zero_point", "_scale_axis"}) {
            const std::string name = ofPort(attr, std::int32_t(port));
            if (!from.hasAttr(name) || !known.insert(name).second)
                continue;
            const std::string_view value = from.attr(name).encoded();
            made.attrs.emplace_back(name, AttrBytes(value, from.holderOf(value)));
        }
}

void addOperandScales(std::vector<std::pair<std::string, AttrBytes>>& attrs,
                      std::string_view operand, const StoredScales& scales)
{
    const std::string name(operand);
    attrs.emplace_back(name + "_scale", scales.encodedScales);
    attrs.emplace_back(name + "_zero_point", scales.encodedZeroPoints);
    attrs.emplace_back(name + "_scale_axis", attr::fromInt(scales.axis));
}

std::optional<StoredScales> operandScales(const Node& node, std::string_view operand)
{
    const std::string name(operand);
    return scalesIn(node, name + "_scale", name + "_zero_point", name + "_scale_axis");
}

} // namespace lapidary
