// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/stored_tensors.h"

namespace lapidary {

const TensorFacts& StoredTensors::facts(Endpoint tensor)
{
    static const TensorFacts nothing;
    if (!tensor.node.isValid() || tensor.isControl())
        return nothing;
    const auto [known, isNew] = m_facts.try_emplace(tensor.node.value);
    if (isNew)
        known->second = storedFacts(m_graph.node(tensor.node));
    const auto port = std::size_t(tensor.port);
    return port < known->second.size() ? known->second[port] : nothing;
}

const StoredScales* StoredTensors::scales(Endpoint tensor)
{
    const auto [known, isNew] = m_scales.try_emplace({tensor.node.value, tensor.port});
    if (isNew)
        known->second = storedScales(m_graph.node(tensor.node), tensor.port);
    return known->second ? &*known->second : nullptr;
}

} // namespace lapidary
