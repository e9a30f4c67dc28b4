// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/file_names.h"

#include <optional>

namespace lapidary {
namespace {

std::optional<std::string> outputNamed(const Graph& graph, std::string_view name)
{
    for (const NodePtr& node : graph.nodes()) {
        const auto names = node->attr("_output_names").strings();
        for (std::size_t port = 0; port < names.size(); ++port)
            if (names[port] == name)
                return tensorName(node->name(), std::int32_t(port));
    }
    return std::nullopt;
}

} // namespace

std::string tensorByFileName(const GraphEntry& entry, const std::string& name)
{
    const Graph& graph = *entry.graph;
    for (const Signature& signature : entry.signatures)
        for (const auto* ends : {&signature.inputs, &signature.outputs})
            for (const SignatureTensor& end : *ends)
                if (end.key == name && !end.tensor.empty())
                    return end.tensor;
    const Input wanted = parseInput(name);
    const bool isNode = graph.find(wanted.node).isValid();
    // Files of TensorFlow's converter have tensors that are called "call:2".
    const bool mayHaveColon = wanted.node != name;
    if (isNode && !mayHaveColon)
        return name;
    if (auto exact = outputNamed(graph, name))
        return *std::move(exact);
    if (!isNode && mayHaveColon && wanted.port == 0)
        if (auto whole = outputNamed(graph, wanted.node))
            return *std::move(whole);
    return name;
}

} // namespace lapidary
