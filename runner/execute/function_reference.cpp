// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/function_reference.h"

#include "graph_model/base/map_entry.h"
#include "graph_model/base/wire.h"

namespace lapidary {
namespace {

constexpr std::uint32_t fieldListFunctions = 9; // of AttrValue.ListValue

// NameAttrList: name 1, attr 2 (a map entry: key 1, value 2).
FunctionReference readReference(std::string_view nameAttrList)
{
    FunctionReference reference;
    WireReader reader(nameAttrList);
    while (reader.next()) {
        if (reader.type() != WireType::Bytes)
            continue;
        if (reader.field() == 1)
            reference.name = reader.bytes();
        if (reader.field() != 2)
            continue;
        const auto [key, value] = readMapEntry(reader.bytes());
        reference.attrs[std::string(key)] = value;
    }
    return reference;
}

std::string_view nameAttrList(const AttrValue& value, std::size_t index)
{
    WireReader reader(value.encoded());
    while (reader.next()) {
        if (reader.type() != WireType::Bytes)
            continue;
        if (AttrKind(reader.field()) == AttrKind::Func)
            return index == 0 ? reader.bytes() : std::string_view();
        if (AttrKind(reader.field()) != AttrKind::List)
            continue;
        WireReader list(reader.bytes());
        std::size_t at = 0;
        while (list.next())
            if (list.field() == fieldListFunctions && list.type() == WireType::Bytes &&
                at++ == index)
                return list.bytes();
    }
    return {};
}

} // namespace

FunctionReference referenceIn(const AttrValue& value, std::size_t index)
{
    return readReference(nameAttrList(value, index));
}

FunctionReference referenceByOp(const Node& caller)
{
    FunctionReference reference{.name = std::string(caller.op()), .attrs = {}};
    for (const Attr& attr : caller.attrs())
        reference.attrs[std::string(attr.name)] = attr.value.encoded();
    return reference;
}

} // namespace lapidary
