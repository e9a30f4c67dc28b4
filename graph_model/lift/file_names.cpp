// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/file_names.h"

namespace lapidary {

FileNames::FileNames(const GraphEntry& entry)
    : m_graph(*entry.graph)
{
    for (const Signature& signature : entry.signatures)
        for (const auto* ends : {&signature.inputs, &signature.outputs})
            for (const SignatureTensor& end : *ends)
                if (!end.tensor.empty())
                    m_ends.emplace(end.key, end.tensor);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const auto names = m_graph.node(NodeId{i}).attr("_output_names").strings();
        for (std::size_t port = 0; port < names.size(); ++port)
            m_outputs.emplace(names[port], Output{NodeId{i}, std::int32_t(port)});
    }
}

std::string FileNames::tensor(const std::string& name) const
{
    if (const auto end = m_ends.find(name); end != m_ends.end())
        return std::string(end->second);
    const Input wanted = parseInput(name);
    const bool isNode = m_graph.find(wanted.node).isValid();
    // Files of TensorFlow's converter have tensors with names such as "call:2".
    const bool mayHaveColon = wanted.node != name;
    if (isNode && !mayHaveColon)
        return name;
    auto output = m_outputs.find(name);
    if (output == m_outputs.end() && !isNode && mayHaveColon && wanted.port == 0)
        output = m_outputs.find(wanted.node);
    if (output == m_outputs.end())
        return name;
    return tensorName(m_graph.node(output->second.node).name(), output->second.port);
}

} // namespace lapidary
