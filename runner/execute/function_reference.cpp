// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/function_reference.h"

#include "graph_model/base/map_entry.h"
#include "graph_model/base/wire.h"

namespace lapidary {
namespace {

constexpr std::uint32_t fieldListFunctions = 9; // of AttrValue.ListValue

// Fields of NameAttrList: name 1, attr 2 (a map entry: key 1, value 2).
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

// Calls `use` with the NameAttrList of each function that an attribute names, until it returns
// true.
template <class Use>
void forEachFunction(const AttrValue& value, Use use)
{
    WireReader reader(value.encoded());
    while (reader.next()) {
        if (reader.type() != WireType::Bytes)
            continue;
        if (AttrKind(reader.field()) == AttrKind::Func) {
            use(reader.bytes());
            return;
        }
        if (AttrKind(reader.field()) != AttrKind::List)
            continue;
        WireReader list(reader.bytes());
        while (list.next())
            if (list.field() == fieldListFunctions && list.type() == WireType::Bytes &&
                use(list.bytes()))
                return;
    }
}

} // namespace

FunctionReference referenceIn(const AttrValue& value, std::size_t index)
{
    FunctionReference found;
    std::size_t at = 0;
    forEachFunction(value, [&](std::string_view nameAttrList) {
        const bool isIt = at++ == index;
        if (isIt)
            found = readReference(nameAttrList);
        return isIt;
    });
    return found;
}

std::vector<FunctionReference> referencesIn(const AttrValue& value)
{
    std::vector<FunctionReference> all;
    forEachFunction(value, [&](std::string_view nameAttrList) {
        all.push_back(readReference(nameAttrList));
        return false;
    });
    return all;
}

FunctionReference referenceByOp(const Node& caller)
{
    FunctionReference reference{.name = std::string(caller.op()), .attrs = {}};
    for (const Attr& attr : caller.attrs())
        reference.attrs[std::string(attr.name)] = attr.value.encoded();
    return reference;
}

} // namespace lapidary
