// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/end_names.h"

namespace lapidary {

EndNames endNamesInFile(const GraphEntry& entry)
{
    EndNames names;
    const auto add = [&](const std::string& text) {
        const Input tensor = parseInput(text);
        const NodeId id = entry.graph->find(tensor.node);
        if (!id.isValid() || tensor.isControl())
            return;
        const auto own = entry.graph->node(id).attr("_output_names").strings();
        const auto port = std::size_t(tensor.port);
        if (port < own.size() && !own[port].empty())
            names.emplace(tensorName(tensor.node, tensor.port), own[port]);
    };
    for (const Signature& signature : entry.signatures)
        for (const auto* ends : {&signature.inputs, &signature.outputs})
            for (const SignatureTensor& end : *ends)
                add(end.tensor);
    return names;
}

} // namespace lapidary
