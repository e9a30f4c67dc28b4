// SPDX-License-Identifier: Apache-2.0
// StringSplit: at each byte of the delimiter (none: every byte). StringSplitV2: at the separator as
// a whole, at most maxsplit times (none: at runs of white space). Both give a sparse matrix.
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/string_tools.h"

#include <algorithm>

namespace lapidary {
namespace {

using Parts = std::vector<std::string>;

Parts splitAtBytes(std::string_view text, std::string_view delimiters, bool skipEmpty)
{
    Parts parts;
    if (delimiters.empty()) {
        for (const char c : text)
            parts.emplace_back(1, c);
        return parts;
    }
    if (text.empty())
        return parts;
    while (true) {
        const std::size_t end = text.find_first_of(delimiters);
        const std::string_view part = text.substr(0, end);
        if (!skipEmpty || !part.empty())
            parts.emplace_back(part);
        if (end == text.npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

Parts splitAtSpaces(std::string_view text, std::int64_t most)
{
    constexpr std::string_view spaces = " \t\n\v\f\r";
    Parts parts;
    while (true) {
        const std::size_t begin = text.find_first_not_of(spaces);
        if (begin == text.npos)
            return parts;
        text.remove_prefix(begin);
        const std::size_t end = text.find_first_of(spaces);
        if (end == text.npos || (most >= 0 && std::int64_t(parts.size()) == most)) {
            parts.emplace_back(text);
            return parts;
        }
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

Parts splitAtText(std::string_view text, std::string_view separator, std::int64_t most)
{
    Parts parts;
    while (true) {
        const bool isFull = most >= 0 && std::int64_t(parts.size()) == most;
        const std::size_t end = isFull ? text.npos : text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == text.npos)
            return parts;
        text.remove_prefix(end + separator.size());
    }
}

Status giveSparse(KernelContext& context, const std::vector<Parts>& rows)
{
    std::vector<std::string> all;
    std::size_t widest = 0;
    for (const Parts& row : rows) {
        all.insert(all.end(), row.begin(), row.end());
        widest = std::max(widest, row.size());
    }
    const auto count = std::int64_t(all.size());
    ASSIGN_OR_RETURN(auto indices, context.makeOutput(0, DType::Int64, {count, 2}));
    ASSIGN_OR_RETURN(auto shape, context.makeOutput(2, DType::Int64, {2}));
    std::size_t at = 0;
    const auto to = indices.mutableAs<std::int64_t>();
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t k = 0; k < rows[row].size(); ++k) {
            to[at++] = std::int64_t(row);
            to[at++] = std::int64_t(k);
        }
    shape.mutableAs<std::int64_t>()[0] = std::int64_t(rows.size());
    shape.mutableAs<std::int64_t>()[1] = std::int64_t(widest);
    return context.setOutput(1, Value::ofStrings({count}, std::move(all)));
}

template <class Split>
Status splitAll(KernelContext& context, const Split& split)
{
    const Value& x = context.input(0);
    if (!x.isVector())
        return context.error("its input must be a vector, but its shape is " + dimsText(x.dims()));
    if (!context.input(1).isScalar())
        return context.error("the separator must be a scalar");
    std::vector<Parts> rows;
    for (const std::string& text : x.strings())
        rows.push_back(split(text, context.input(1).strings()[0]));
    return giveSparse(context, rows);
}

Status runStringSplit(KernelContext& context)
{
    const bool skipEmpty = context.boolAttr("skip_empty", true);
    return splitAll(context, [&](const std::string& text, const std::string& delimiters) {
        return splitAtBytes(text, delimiters, skipEmpty);
    });
}

Status runV2(KernelContext& context)
{
    const std::int64_t most = context.intAttr("maxsplit", -1);
    return splitAll(context, [&](const std::string& text, const std::string& separator) {
        return separator.empty() ? splitAtSpaces(text, most) : splitAtText(text, separator, most);
    });
}

} // namespace

LAPIDARY_KERNEL(StringSplit, runStringSplit);
LAPIDARY_KERNEL(StringSplitV2, runV2);

} // namespace lapidary
