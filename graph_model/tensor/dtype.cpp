// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/dtype.h"

#include <array>

namespace lapidary {
namespace {

struct Entry {
    std::string_view name;
    std::size_t size;
};

// Indexed by DataType number (types.proto); sizes in bytes.
constexpr std::array<Entry, 24> table{{
    {"INVALID", 0},  {"float", 4},   {"double", 8}, {"int32", 4},       {"uint8", 1},
    {"int16", 2},    {"int8", 1},    {"string", 0}, {"complex64", 8},   {"int64", 8},
    {"bool", 1},     {"qint8", 1},   {"quint8", 1}, {"qint32", 4},      {"bfloat16", 2},
    {"qint16", 2},   {"quint16", 2}, {"uint16", 2}, {"complex128", 16}, {"half", 2},
    {"resource", 0}, {"variant", 0}, {"uint32", 4}, {"uint64", 8},
}};

struct Alias {
    std::string_view name;
    DType dtype;
};

constexpr std::array<Alias, 3> aliases{{
    {"float32", DType::Float},
    {"float64", DType::Double},
    {"float16", DType::Half},
}};

constexpr std::int32_t referenceOffset = 100;

bool sameLetters(std::string_view upper, std::string_view lower)
{
    if (upper.size() != lower.size())
        return false;
    for (std::size_t i = 0; i < upper.size(); ++i) {
        const char c = upper[i];
        if ((c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c) != lower[i])
            return false;
    }
    return true;
}

std::optional<DType> parsePlain(std::string_view name)
{
    for (std::size_t i = 1; i < table.size(); ++i)
        if (sameLetters(name, table[i].name))
            return DType(i);
    for (const Alias& alias : aliases)
        if (sameLetters(name, alias.name))
            return alias.dtype;
    return std::nullopt;
}

} // namespace

bool isReference(DType dtype)
{
    const auto number = std::int32_t(dtype);
    return number > referenceOffset && number < referenceOffset + std::int32_t(table.size());
}

DType withoutReference(DType dtype)
{
    return isReference(dtype) ? DType(std::int32_t(dtype) - referenceOffset) : dtype;
}

std::string dtypeName(DType dtype)
{
    const auto number = std::int32_t(withoutReference(dtype));
    if (number < 0 || number >= std::int32_t(table.size()))
        return "unknown(" + std::to_string(std::int32_t(dtype)) + ")";
    std::string name(table[std::size_t(number)].name);
    return isReference(dtype) ? name + "_ref" : name;
}

std::optional<DType> parseDtype(std::string_view name)
{
    if (name.starts_with("DT_"))
        name.remove_prefix(3);
    for (const std::string_view suffix : {"_ref", "_REF"}) {
        if (!name.ends_with(suffix))
            continue;
        const auto plain = parsePlain(name.substr(0, name.size() - suffix.size()));
        if (!plain)
            return std::nullopt;
        return DType(std::int32_t(*plain) + referenceOffset);
    }
    return parsePlain(name);
}

std::size_t dtypeSize(DType dtype)
{
    const auto number = std::int32_t(dtype);
    return number < 0 || number >= std::int32_t(table.size()) ? 0 : table[std::size_t(number)].size;
}

} // namespace lapidary
