// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/sample_work.h"

#include "runner/cost/flops.h"

namespace lapidary {
namespace {

constexpr double operationsOfNode = 5e4;   // a microsecond or two
constexpr double operationsOfElement = 20; // most ops wait for memory

} // namespace

void SampleWork::add(const NodeRun& run, std::span<const Value> outputs)
{
    m_operations += operationsOfNode;
    std::vector<Shape> shapes;
    for (const Value& value : outputs) {
        if (value.isSet())
            m_operations += operationsOfElement * double(value.elements());
        shapes.push_back(value.isSet() ? Shape{value.dims(), false} : Shape{{}, true});
    }
    if (!run.function.empty()) // its nodes have no ids in the graph
        return;
    m_shapes[run.node.value] = std::move(shapes);
    m_operations += flops(run.node, outputs);
}

double SampleWork::flops(NodeId id, std::span<const Value> outputs) const
{
    const Node& node = m_graph.node(id);
    if (!hasFlops(node.op()) || outputs.empty() || !outputs[0].isSet())
        return 0;
    std::vector<Shape> inputs;
    for (const Endpoint& from : m_graph.inputs(id)) {
        const auto known = m_shapes.find(from.node.value);
        const bool isKnown = known != m_shapes.end() && from.port >= 0 &&
                             std::size_t(from.port) < known->second.size();
        inputs.push_back(isKnown ? known->second[std::size_t(from.port)] : Shape{{}, true});
    }
    return double(flopsOf(node, inputs, Shape{outputs[0].dims(), false}).value_or(0));
}

} // namespace lapidary
