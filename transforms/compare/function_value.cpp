// SPDX-License-Identifier: Apache-2.0
#include "transforms/compare/function_value.h"

#include "graph_model/base/wire.h"

namespace lapidary {
namespace {

void addAttr(std::string_view entry, std::map<std::string_view, AttrValue>& attrs)
{
    std::string_view name;
    std::string_view value;
    for (WireReader reader(entry); reader.next();) {
        if (reader.type() != WireType::Bytes)
            continue;
        if (reader.field() == 1)
            name = reader.bytes();
        if (reader.field() == 2)
            value = reader.bytes();
    }
    attrs.insert_or_assign(name, AttrValue(value));
}

} // namespace

FunctionValue functionValue(const AttrValue& value)
{
    FunctionValue function;
    if (value.kind() != AttrKind::Func)
        return function;
    constexpr std::uint32_t funcField = 10;
    for (WireReader outer(value.encoded()); outer.next();) {
        if (outer.field() != funcField || outer.type() != WireType::Bytes)
            continue;
        for (WireReader reader(outer.bytes()); reader.next();) {
            if (reader.type() != WireType::Bytes)
                continue;
            if (reader.field() == 1)
                function.name = reader.bytes();
            if (reader.field() == 2)
                addAttr(reader.bytes(), function.attrs);
        }
    }
    return function;
}

} // namespace lapidary
