// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// A compressed (deflated) table of resources/mobile.
struct PackedText {
    std::span<const unsigned char> bytes;
    std::size_t textSize = 0;
};

namespace packed {
extern const PackedText kernelClasses;
extern const PackedText opSupport;
extern const PackedText typeCombinations;
} // namespace packed

// Takes about 2 ms per megabyte.
std::string unpackText(const PackedText& packed);

// Removes the next item from a list with that separator. Returns it without surrounding blanks.
std::string_view nextItem(std::string_view& rest, char separator);

// Calls `take` with the fields of each row of a table of tab-separated values; lines that begin
// with # are skipped. A row has at least `columns` fields, of which the last may be empty.
void forEachRow(std::string_view table, std::size_t columns,
                const std::function<void(std::span<const std::string_view> fields)>& take);

} // namespace lapidary
