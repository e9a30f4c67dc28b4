// SPDX-License-Identifier: Apache-2.0
#include "views/layout/scene_text.h"

#include "graph_model/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lapidary {
namespace {

constexpr std::string_view ellipsis = "…";
constexpr std::size_t longest = 1000; // bytes that are examined: longer texts fit into no box

std::string_view headOf(std::string_view text, std::size_t bytes)
{
    return text.substr(0, utf8Boundary(text, std::min(bytes, text.size())));
}

std::string_view tailOf(std::string_view text, std::size_t bytes)
{
    std::size_t from = text.size() - std::min(bytes, text.size());
    while (from < text.size() && continuesUtf8(text[from]))
        ++from;
    return text.substr(from);
}

std::string cut(std::string_view text, std::size_t kept)
{
    const std::size_t head = kept * 2 / 5;
    std::string out(headOf(text, head));
    out += ellipsis;
    out += tailOf(text, kept - head);
    return out;
}

} // namespace

std::string elideMiddle(std::string_view text, float width, TextRole role,
                        const MeasureText& measure)
{
    if (text.size() <= longest && measure(text, role) <= width)
        return std::string(text);
    std::string shortened;
    if (text.size() > longest) {
        shortened = std::string(headOf(text, longest / 2));
        shortened += tailOf(text, longest / 2);
        text = shortened;
    }
    std::size_t low = 1; // number of bytes kept
    std::size_t high = text.size() - 1;
    while (low < high) {
        const std::size_t middle = (low + high + 1) / 2;
        if (measure(cut(text, middle), role) <= width)
            low = middle;
        else
            high = middle - 1;
    }
    return cut(text, low);
}

std::string shortCount(std::int64_t count)
{
    static constexpr std::array<const char*, 5> units{"", " k", " M", " G", " T"};
    auto value = double(count);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    std::array<char, 40> text{};
    const int digits = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    std::snprintf(text.data(), text.size(), "%.*f%s", digits, value, units[unit]);
    return text.data();
}

} // namespace lapidary
