// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/compared_graphs.h"

#include <string>

namespace lapidary {
namespace {

NodeId eightBit(const ComparedGraphs& graphs, NodeId id)
{
    return graphs.b.find(std::string(graphs.a.node(id).name()) + "/eightbit");
}

} // namespace

NodeId ComparedGraphs::sameNumbers(NodeId id) const
{
    // A Dequantize may have the node's own name, but the quantized node is the one that computes.
    const std::string name(a.node(id).name());
    for (const char* made : {"/eightbit/requantize", "/eightbit"})
        if (const NodeId quantized = b.find(name + made); quantized.isValid())
            return quantized;
    return counterparts[id.value];
}

std::string_view ComparedGraphs::opOfSameNumbers(NodeId id) const
{
    constexpr std::string_view prefix = "Quantized";
    if (const NodeId quantized = eightBit(*this, id); quantized.isValid()) {
        const std::string_view op = b.node(quantized).op();
        return op.starts_with(prefix) ? op.substr(prefix.size()) : op;
    }
    return counterparts[id.value].isValid() ? b.node(counterparts[id.value]).op()
                                            : std::string_view();
}

} // namespace lapidary
