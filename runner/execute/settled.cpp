// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/settled.h"

#include "runner/kernels/quantized/fused_codes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lapidary {
namespace {

bool givesTheSame(const ExecGraph& graph, const ExecNode& node)
{
    // These are not all ops without effects, only those that become constant when weights are
    // quantized.
    static constexpr std::array<std::string_view, 9> ops{fusedRangeOp, "Const",      "Dequantize",
                                                         "Identity",   "Max",        "Min",
                                                         "Mul",        "QuantizeV2", "Reshape"};
    const bool isPlain = node.id.isValid() && node.frame == 0 && node.kernel != nullptr &&
                         node.proceed == nullptr &&
                         (node.kind == ExecKind::Ordinary || node.kind == ExecKind::Constant);
    return isPlain && std::ranges::find(ops, graph.graph->node(node.id).op()) != ops.end();
}

} // namespace

void markSettled(ExecGraph& graph)
{
    std::vector<std::uint32_t> awaited;
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        awaited.push_back(graph.nodes[i].awaitedData + graph.nodes[i].controlInputs);
        if (awaited.back() == 0 && givesTheSame(graph, graph.nodes[i]))
            open.push_back(i);
    }
    while (!open.empty()) {
        ExecNode& node = graph.nodes[open.back()];
        open.pop_back();
        node.isSettled = true;
        for (std::uint32_t e = 0; e < node.edgeCount; ++e) {
            const std::uint32_t target = graph.edges[node.firstEdge + e].target;
            if (--awaited[target] == 0 && givesTheSame(graph, graph.nodes[target]))
                open.push_back(target);
        }
    }
}

} // namespace lapidary
