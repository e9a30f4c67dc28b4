// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/file_names.h"

namespace lapidary {

std::string tensorByFileName(const GraphEntry& entry, const std::string& name)
{
    const Graph& graph = *entry.graph;
    for (const Signature& signature : entry.signatures)
        for (const auto* ends : {&signature.inputs, &signature.outputs})
            for (const SignatureTensor& end : *ends)
                if (end.key == name && !end.tensor.empty())
                    return end.tensor;
    const Input wanted = parseInput(name);
    if (graph.find(wanted.node).isValid())
        return name;
    const bool hasPort = wanted.port == 0 && wanted.node != name;
    for (const NodePtr& node : graph.nodes()) {
        const auto names = node->attr("_output_names").strings();
        for (std::size_t port = 0; port < names.size(); ++port)
            if (names[port] == name || (hasPort && names[port] == wanted.node))
                return tensorName(node->name(), std::int32_t(port));
    }
    return name;
}

} // namespace lapidary
