// SPDX-License-Identifier: Apache-2.0
#include "transforms/functions/list_attrs.h"

#include "graph_model/base/wire.h"

namespace lapidary {
namespace {

constexpr std::uint32_t fieldList = 1;        // of AttrValue
constexpr std::uint32_t fieldListStrings = 2; // of AttrValue.ListValue
constexpr std::uint32_t fieldListTypes = 6;

std::string asList(std::string_view list)
{
    std::string value;
    WireWriter(value).bytes(fieldList, list);
    return value;
}

} // namespace

std::string typesAttr(const std::vector<DType>& types)
{
    std::string packed;
    for (const DType type : types)
        appendVarint(packed, std::uint64_t(type));
    std::string list;
    if (!types.empty())
        WireWriter(list).bytes(fieldListTypes, packed);
    return asList(list);
}

std::string stringsAttr(const std::vector<std::string>& strings)
{
    std::string list;
    for (const std::string& text : strings)
        WireWriter(list).bytes(fieldListStrings, text);
    return asList(list);
}

} // namespace lapidary
