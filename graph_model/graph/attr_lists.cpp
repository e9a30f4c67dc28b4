// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_lists.h"

#include "graph_model/base/wire.h"

#include <cstring>

namespace lapidary::attr {
namespace {

// AttrValue: list 1, func 10; ListValue: s 2, f 4, type 6, shape 7.
std::string listOf(std::string_view listValue)
{
    std::string value;
    WireWriter(value).bytes(1, listValue);
    return value;
}

} // namespace

std::string fromStrings(std::span<const std::string> values)
{
    std::string list;
    WireWriter writer(list);
    for (const std::string& value : values)
        writer.bytes(2, value);
    return listOf(list);
}

std::string fromFloats(std::span<const float> values)
{
    std::string packed(values.size_bytes(), '\0');
    if (!packed.empty())
        std::memcpy(packed.data(), values.data(), packed.size());
    std::string list;
    if (!packed.empty())
        WireWriter(list).bytes(4, packed);
    return listOf(list);
}

std::string fromTypes(std::span<const DType> values)
{
    std::string packed;
    for (const DType value : values)
        appendVarint(packed, std::uint64_t(value));
    std::string list;
    if (!packed.empty())
        WireWriter(list).bytes(6, packed);
    return listOf(list);
}

std::string fromShapes(std::span<const Shape> values)
{
    std::string list;
    WireWriter writer(list);
    for (const Shape& value : values)
        writer.bytes(7, encodeShape(value));
    return listOf(list);
}

std::string fromFunctionName(std::string_view name)
{
    std::string function;
    WireWriter(function).bytes(1, name);
    std::string value;
    WireWriter(value).bytes(10, function);
    return value;
}

} // namespace lapidary::attr
