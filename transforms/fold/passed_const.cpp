// SPDX-License-Identifier: Apache-2.0
#include "transforms/fold/passed_const.h"

#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <vector>

namespace lapidary {
namespace {

bool hasValue(const Node& constant, DType dtype)
{
    const auto tensor = constant.tensor();
    return dtype != DType::String && constant.attr("dtype").asType() == dtype && tensor &&
           tensor.value().dtype() == dtype && dtypeSize(dtype) > 0 &&
           constant.holderOf(constant.attr("value").encoded())->intact();
}

} // namespace

NodeId PassedConsts::sourceOf(Endpoint tensor)
{
    const auto dtype = m_graph.node(tensor.node).attr("T").asType();
    std::vector<NodeId> path;
    NodeId source;
    while (dtype && path.size() < m_graph.size() && tensor.node.isValid() && tensor.port == 0) {
        const Node& node = m_graph.node(tensor.node);
        if (node.op() == "Const") {
            source = hasValue(node, *dtype) ? tensor.node : NodeId();
            break;
        }
        if (!copiesInput(node.op()) || node.attr("T").asType() != dtype ||
            m_graph.inputs(tensor.node).empty())
            break;
        if (const auto known = m_known.find(tensor.node); known != m_known.end()) {
            source = known->second;
            break;
        }
        path.push_back(tensor.node);
        tensor = m_graph.inputs(tensor.node).front();
    }
    for (const NodeId id : path)
        m_known.emplace(id, source);
    return source;
}

std::uint64_t passedBytes(const Node& constant)
{
    const auto tensor = constant.tensor();
    std::uint64_t bytes = 0;
    if (tensor && __builtin_mul_overflow(std::uint64_t(tensor.value().elements()),
                                         dtypeSize(tensor.value().dtype()), &bytes))
        return UINT64_MAX;
    return bytes;
}

NodeDraft passedNode(std::string name, const Node& constant)
{
    NodeDraft draft = newNode(std::move(name), "Const");
    copyAttr(constant, "dtype", draft);
    copyAttr(constant, "value", draft);
    return draft;
}

} // namespace lapidary
