// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string>
#include <string_view>

namespace lapidary {

// The mark that some editors put before UTF-8 text.
inline constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

struct Sniffed {
    FileFormat format = FileFormat::Unknown;
    std::string detail; // of a Foreign file: the name of its format
};

// Recognizes a file only by its content.
Sniffed sniffFormat(std::string_view bytes);

// Returns the kind of a text message by the names of its outermost fields; Unknown if none
// fits.
FileFormat sniffText(std::string_view text);

} // namespace lapidary
