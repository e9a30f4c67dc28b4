// SPDX-License-Identifier: Apache-2.0
// A loop becomes a While, and its condition and body become functions.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/graph/function.h"
#include "graph_model/lift/lifted_functions.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/raise/raise_portable.h"

namespace lapidary {
namespace {

NodePtr endOfFunction(std::string name, std::string_view op, std::vector<std::string> inputs,
                      DType dtype, std::size_t index)
{
    NodeDraft draft = newNode(std::move(name), std::string(op), std::move(inputs));
    draft.setAttr("T", attr::fromType(dtype));
    draft.setAttr("index", attr::fromInt(std::int64_t(index)));
    return draft.finish(true);
}

std::vector<DType> typesOf(const PortableModel& model, const std::vector<TensorIndex>& tensors)
{
    std::vector<DType> types;
    for (const TensorIndex index : tensors)
        types.push_back(model.at(index).dtype);
    return types;
}

} // namespace

// `handsOn`: the function also returns its last inputs, which the loop only reads.
std::string Raising::addFunction(const PortableModel& part, bool handsOn)
{
    Raising raising(part, m_functions);
    raising.raiseAll();
    const RaisedGraph raised = std::move(raising).finish();
    std::vector<TensorIndex> results = part.outputs;
    if (handsOn)
        results.insert(results.end(), part.inputs.begin() + std::ptrdiff_t(results.size()),
                       part.inputs.end());
    Graph::Parts parts;
    for (std::size_t i = 0; i < part.inputs.size(); ++i)
        parts.nodes.push_back(endOfFunction("t" + std::to_string(part.inputs[i]), "_Arg", {},
                                            part.at(part.inputs[i]).dtype, i));
    for (const NodePtr& node : raised.graph->nodes())
        if (node->op() != "Placeholder")
            parts.nodes.push_back(node);
    for (std::size_t i = 0; i < results.size(); ++i)
        parts.nodes.push_back(endOfFunction("result" + std::to_string(i), "_Retval",
                                            {raised.tensors[std::size_t(results[i])]},
                                            part.at(results[i]).dtype, i));
    const std::string name = "part" + std::to_string(m_functions->size());
    m_functions->add(name, typesOf(part, part.inputs), typesOf(part, results),
                     Graph::make(std::move(parts)));
    return name;
}

void Raising::raiseLoop(const PortableOperation& loop)
{
    const std::string condition = addFunction(*loop.parts[0], false);
    const std::string body = addFunction(*loop.parts[1], true);
    std::vector<std::string> inputs;
    for (std::size_t slot = 0; slot < loop.inputs.size(); ++slot)
        inputs.push_back(in(loop, slot));
    NodeDraft& draft = make(loop, "While", std::move(inputs));
    draft.setAttr("T", attr::fromTypes(typesOf(m_model, loop.inputs)));
    draft.setAttr("cond", attr::fromFunctionName(condition));
    draft.setAttr("body", attr::fromFunctionName(body));
}

} // namespace lapidary
