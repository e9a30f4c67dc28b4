// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/tables/text_rows.h"

#include "runner/kernels/strings/numbers.h"

#include <algorithm>

namespace lapidary {
namespace {

Error invalid(std::string what)
{
    return {ErrorCode::InvalidArgument, std::move(what)};
}

template <class T>
std::string bytesOf(T number)
{
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

// A line of the file.
struct Line {
    std::int64_t number = 0;
    std::string text;
};

Result<std::string_view> column(const Line& line, std::int64_t index, std::string_view delimiter)
{
    std::string_view rest = line.text;
    for (std::int64_t at = 0;; ++at) {
        const std::size_t end = delimiter.empty() ? std::string_view::npos : rest.find(delimiter);
        if (at == index)
            return rest.substr(0, end);
        if (end == std::string_view::npos)
            return invalid("line " + std::to_string(line.number) + " has no column " +
                           std::to_string(index));
        rest.remove_prefix(end + delimiter.size());
    }
}

Result<std::string> element(const Line& line, std::int64_t index, std::string_view delimiter,
                            DType dtype)
{
    if (index == TextColumns::lineNumber)
        return bytesOf(line.number);
    std::string_view text = line.text;
    if (index != TextColumns::wholeLine) {
        ASSIGN_OR_RETURN(text, column(line, index, delimiter));
    }
    const auto wrong = [&] {
        return invalid("'" + std::string(text) + "' in line " + std::to_string(line.number) +
                       " is not a valid " + dtypeName(dtype));
    };
    if (dtype == DType::String)
        return std::string(text);
    if (dtype == DType::Int64 || dtype == DType::Int32) {
        const auto value = parseInteger(text, dtype);
        if (!value)
            return wrong();
        return dtype == DType::Int64 ? bytesOf(*value) : bytesOf(std::int32_t(*value));
    }
    const auto value = parseFloating(text);
    if (!value)
        return wrong();
    return dtype == DType::Double ? bytesOf(*value) : bytesOf(float(*value));
}

Status checkColumn(std::int64_t index, DType dtype)
{
    const bool fits = (index != TextColumns::lineNumber || dtype == DType::Int64) &&
                      (index != TextColumns::wholeLine || dtype == DType::String) &&
                      index >= TextColumns::wholeLine;
    const bool isKnown = dtype == DType::String || dtype == DType::Int64 || dtype == DType::Int32 ||
                         dtype == DType::Float || dtype == DType::Double;
    if (fits && isKnown)
        return Done{};
    return invalid("column " + std::to_string(index) + " of a file cannot be " + dtypeName(dtype));
}

} // namespace

TextColumns textColumnsOf(const Node& filler, DType keyType, DType valueType)
{
    TextColumns columns;
    columns.key = filler.attr("key_index").asInt().value_or(0);
    columns.value = filler.attr("value_index").asInt().value_or(0);
    columns.most = filler.attr("vocab_size").asInt().value_or(-1);
    columns.delimiter = filler.attr("delimiter").asString().value_or("\t");
    columns.keyType = keyType;
    columns.valueType = valueType;
    return columns;
}

Result<std::vector<std::pair<std::string, std::string>>> textRows(std::string_view content,
                                                                  const TextColumns& columns)
{
    RETURN_IF_ERROR(checkColumn(columns.key, columns.keyType));
    RETURN_IF_ERROR(checkColumn(columns.value, columns.valueType));
    std::vector<std::pair<std::string, std::string>> rows;
    Line line;
    for (; !content.empty() && (columns.most < 0 || line.number < columns.most); ++line.number) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        line.text = content.substr(0, end);
        std::erase(line.text, '\r');
        content.remove_prefix(std::min(end + 1, content.size()));
        ASSIGN_OR_RETURN(auto key, element(line, columns.key, columns.delimiter, columns.keyType));
        ASSIGN_OR_RETURN(auto value,
                         element(line, columns.value, columns.delimiter, columns.valueType));
        rows.emplace_back(std::move(key), std::move(value));
    }
    if (columns.most >= 0 && std::int64_t(rows.size()) < columns.most)
        return invalid("vocab_size is " + std::to_string(columns.most) + " but the file has " +
                       std::to_string(rows.size()) + " lines");
    return rows;
}

} // namespace lapidary
