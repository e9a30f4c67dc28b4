// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/followed_names.h"

#include "transforms/pass/interface_names.h"

namespace lapidary {

std::vector<std::string> followedNames(std::vector<std::string> names, const Graph& before,
                                       const EditResult& step)
{
    for (std::string& name : names) {
        const std::string node(nodeOfInput(name));
        const NodeId old = before.find(node);
        if (!old.isValid() || old.value >= step.lineage.successor.size() ||
            step.graph->find(node).isValid())
            continue;
        const NodeId now = step.lineage.successor[old.value];
        if (now.isValid())
            name.replace(name.find(node), node.size(), step.graph->node(now).name());
    }
    return names;
}

} // namespace lapidary
