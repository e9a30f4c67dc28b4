// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/served_signature.h"

#include <algorithm>
#include <functional>

namespace lapidary {

std::vector<const Signature*> usableSignatures(const GraphEntry& entry)
{
    std::vector<const Signature*> signatures;
    for (const Signature& signature : entry.signatures)
        if (!signature.name.starts_with("__")) // the loader's: init and train ops
            signatures.push_back(&signature);
    std::ranges::stable_sort(signatures, std::ranges::greater{}, [](const Signature* signature) {
        const bool isUsed = !signature->inputs.empty() || !signature->outputs.empty();
        return (signature->name == "serving_default" ? 2 : 0) + (isUsed ? 1 : 0);
    });
    return signatures;
}

std::vector<std::string> tensorParts(const std::string& tensors)
{
    std::vector<std::string> parts;
    std::size_t start = 0;
    while (start <= tensors.size()) {
        const std::size_t comma = std::min(tensors.find(", ", start), tensors.size());
        parts.push_back(tensors.substr(start, comma - start));
        start = comma + 2;
    }
    return parts;
}

} // namespace lapidary
