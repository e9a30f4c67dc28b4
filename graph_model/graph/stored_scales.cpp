// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/stored_scales.h"

#include <string>

namespace lapidary {
namespace {

std::string ofPort(std::string_view attr, std::int32_t port)
{
    return std::string(attr) + (port == 0 ? "" : "_" + std::to_string(port));
}

} // namespace

std::optional<StoredScales> storedScales(const Node& node, std::int32_t port)
{
    StoredScales stored{node.attr(ofPort("_scale", port)).floats(),
                        node.attr(ofPort("_zero_point", port)).ints(),
                        node.attr(ofPort("_scale_axis", port)).asInt().value_or(0)};
    if (stored.scales.empty())
        return std::nullopt;
    stored.zeroPoints.resize(stored.scales.size());
    return stored;
}

void shareStoredScales(NodeDraft& made, const Node& from, std::int32_t port)
{
    for (const char* attr : {"_scale", "_zero_point", "_scale_axis"})
        if (const std::string name = ofPort(attr, port); from.hasAttr(name))
            made.shareAttr(name, from.attr(name), from);
}

} // namespace lapidary
