// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// A table of resources/mobile, deflated.
struct PackedText {
    std::span<const unsigned char> bytes;
    std::size_t textSize = 0;
};

namespace packed {
extern const PackedText kernelClasses;
extern const PackedText opSupport;
extern const PackedText typeCombinations;
} // namespace packed

// About 2 ms per megabyte.
std::string unpackText(const PackedText& packed);

// Takes the next item, trimmed, from a list with that separator.
std::string_view nextItem(std::string_view& rest, char separator);

// Gives the fields of each row of a table of tab-separated values; lines that begin with # are
// none. A row has at least `columns` fields, of which the last may be empty.
void forEachRow(std::string_view table, std::size_t columns,
                const std::function<void(std::span<const std::string_view> fields)>& take);

} // namespace lapidary
