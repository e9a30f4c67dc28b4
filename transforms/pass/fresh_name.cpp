// SPDX-License-Identifier: Apache-2.0
#include "transforms/pass/fresh_name.h"

namespace lapidary {

std::string freshName(const Graph& graph, const std::string& stem)
{
    std::string name = stem;
    for (int i = 1; graph.find(name).isValid(); ++i)
        name = stem + "_" + std::to_string(i);
    return name;
}

} // namespace lapidary
