// SPDX-License-Identifier: Apache-2.0
#include "app/document/selected_nodes.h"

#include "app/document/document.h"

#include <algorithm>

namespace lapidary {

std::vector<NodeId> selectedNodes(const Document& document)
{
    const PreparationPtr preparation = document.picture().preparation();
    if (!preparation)
        return {};
    std::vector<NodeId> nodes;
    std::vector<bool> isTaken(preparation->graph().size(), false);
    std::vector<ItemId> open = document.selection().items();
    while (!open.empty()) {
        const ItemId at = open.back();
        open.pop_back();
        if (at.isNode()) {
            if (!isTaken[at.node().value])
                nodes.push_back(at.node());
            isTaken[at.node().value] = true;
            continue;
        }
        const auto& children = preparation->tree().group(at.group()).children;
        open.insert(open.end(), children.begin(), children.end());
    }
    std::ranges::sort(nodes);
    return nodes;
}

} // namespace lapidary
