// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/bound_inputs.h"

#include "graph_model/base/map_entry.h"
#include "graph_model/base/wire.h"
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

BoundValue readVariable(std::string_view message)
{
    BoundValue value;
    value.isVariable = true;
    value.shape.unknownRank = true;
    WireReader reader(message);
    while (reader.next()) {
        if (reader.field() == 1)
            value.dtype = DType(std::int32_t(reader.varint()));
        else if (reader.field() == 2)
            value.shape = decodeShape(reader.bytes());
        else if (reader.field() == 6)
            value.node = value.name = reader.bytes();
    }
    return value;
}

BoundValue readConstant(std::string_view message)
{
    BoundValue value;
    WireReader reader(message);
    while (reader.next())
        if (reader.field() == 1)
            value.node = reader.bytes();
    return value;
}

// Reads a SavedObject: variable 7, constant 9.
BoundValue readObject(std::string_view message)
{
    BoundValue value;
    WireReader reader(message);
    while (reader.next())
        if (reader.field() == 7)
            value = readVariable(reader.bytes());
        else if (reader.field() == 9)
            value = readConstant(reader.bytes());
    return value;
}

// Reads a SavedConcreteFunction: bound_inputs 2, the numbers of objects.
std::vector<std::uint32_t> readFunction(std::string_view message)
{
    std::vector<std::uint32_t> objects;
    WireReader reader(message);
    while (reader.next()) {
        if (reader.field() != 2)
            continue;
        if (reader.type() == WireType::Varint)
            objects.push_back(std::uint32_t(reader.varint()));
        for (const std::uint64_t object : packedVarints(reader.bytes()))
            objects.push_back(std::uint32_t(object));
    }
    return objects;
}

} // namespace

std::vector<const BoundValue*> BoundInputs::ofArguments(std::string_view function,
                                                        std::size_t count) const
{
    std::vector<const BoundValue*> found(count, nullptr);
    const auto known = objects.find(function);
    if (known == objects.end() || known->second.size() > count)
        return found;
    const std::size_t first = count - known->second.size();
    for (std::size_t i = first; i < count; ++i)
        if (const std::uint32_t object = known->second[i - first]; object < values.size())
            found[i] = &values[object];
    return found;
}

BoundInputs readBoundInputs(std::string_view objectGraph)
{
    BoundInputs bound;
    WireReader reader(objectGraph);
    while (reader.next()) {
        if (reader.field() == 1 && reader.type() == WireType::Bytes)
            bound.values.push_back(readObject(reader.bytes()));
        if (reader.field() == 2) {
            const auto [name, function] = readMapEntry(reader.bytes());
            bound.objects[std::string(name)] = readFunction(function);
        }
    }
    return bound;
}

void nameNodes(BoundInputs& bound, const Graph& graph)
{
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeId id{i};
        if (callKind(graph.node(id).op()) != CallKind::Call)
            continue;
        const auto called = graph.node(id).attr("f").asFunctionName();
        const auto objects = bound.objects.find(called.value_or(std::string_view()));
        std::size_t count = 0; // of arguments: control inputs are the last ones
        for (const Endpoint& input : graph.inputs(id))
            count += input.isControl() ? 0 : 1;
        if (objects == bound.objects.end() || objects->second.size() > count)
            continue;
        const std::size_t first = count - objects->second.size();
        for (std::size_t slot = first; slot < count; ++slot) {
            const std::uint32_t object = objects->second[slot - first];
            const NodeId from = graph.inputs(id)[slot].node;
            if (object < bound.values.size() && bound.values[object].isVariable && from.isValid() &&
                isVariable(graph.node(from).op()))
                bound.values[object].node = graph.node(from).name();
        }
    }
}

} // namespace lapidary
