// SPDX-License-Identifier: Apache-2.0
#include "graph_model/explore/function_inputs.h"

#include "graph_model/base/map_entry.h"
#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_value.h"
#include "graph_model/ops/op_traits.h"

#include <utility>

namespace lapidary {
namespace {

// Returns the shape in attributes of an argument (ArgAttrs: attr 1).
Shape shapeIn(std::string_view attributes)
{
    WireReader reader(attributes);
    while (reader.next()) {
        const auto [name, value] = readMapEntry(reader.bytes());
        const std::vector<Shape> shapes =
            name == "_output_shapes" ? AttrValue(value).shapes() : std::vector<Shape>();
        if (reader.field() == 1 && shapes.size() == 1)
            return shapes.front();
    }
    return {{}, true};
}

// Returns the shapes of a function's arguments (FunctionDef: arg_attr 7, a map by number).
std::vector<Shape> argumentShapes(const Function& function)
{
    std::vector<Shape> shapes(function.arguments.size(), Shape{{}, true});
    WireReader reader(function.encoded);
    while (reader.next()) {
        if (reader.field() != 7)
            continue;
        std::uint64_t number = 0; // the first one is written without
        std::string_view attributes;
        WireReader entry(reader.bytes());
        while (entry.next())
            if (entry.field() == 1)
                number = entry.varint();
            else if (entry.field() == 2)
                attributes = entry.bytes();
        if (number < shapes.size())
            shapes[number] = shapeIn(attributes);
    }
    return shapes;
}

// Returns the node that the graph holds for an object; null if there is none.
NodePtr boundNode(const Graph& graph, const BoundValue* value)
{
    const NodeId id = value != nullptr ? graph.find(value->node) : NodeId{};
    if (!id.isValid())
        return nullptr;
    const std::string_view op = graph.node(id).op();
    return (value->isVariable ? isVariable(op) : isConstant(op)) ? graph.nodes()[id.value]
                                                                 : nullptr;
}

NodeDraft variableNode(const FunctionArgument& argument, const BoundValue* value)
{
    NodeDraft draft;
    draft.op = "VarHandleOp";
    const bool isKnown = value != nullptr && value->isVariable;
    const DType dtype = isKnown ? value->dtype : argument.dtype;
    draft.setAttr("dtype", attr::fromType(dtype));
    if (isKnown && !value->shape.unknownRank)
        draft.setAttr("shape", attr::fromShape(value->shape));
    return draft;
}

NodeDraft placeholderNode(const FunctionArgument& argument, const Shape& shape)
{
    NodeDraft draft;
    draft.op = "Placeholder";
    if (argument.dtype != DType::Invalid)
        draft.setAttr("dtype", attr::fromType(argument.dtype));
    if (!shape.unknownRank)
        draft.setAttr("shape", attr::fromShape(shape));
    return draft;
}

} // namespace

std::vector<FunctionInput> functionInputs(const GraphEntry& entry, const Function& function)
{
    const std::vector<Shape> shapes = argumentShapes(function);
    const std::vector<const BoundValue*> values =
        entry.bound.ofArguments(function.name, function.arguments.size());
    std::vector<FunctionInput> inputs;
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
        const FunctionArgument& argument = function.arguments[i];
        FunctionInput& input = inputs.emplace_back();
        input.name = argument.name;
        input.bound = boundNode(*entry.graph, values[i]);
        if (values[i] != nullptr)
            input.object = std::size_t(values[i] - entry.bound.values.data());
        if (values[i] != nullptr && values[i]->isVariable && !values[i]->node.empty())
            input.name = values[i]->node; // so that it is in the scope of its layer
        input.isFed = !input.bound && argument.dtype != DType::Resource;
        input.shape = shapes[i];
        input.draft = input.isFed ? placeholderNode(argument, input.shape)
                                  : variableNode(argument, values[i]);
    }
    return inputs;
}

} // namespace lapidary
