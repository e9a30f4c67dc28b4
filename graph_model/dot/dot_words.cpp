// SPDX-License-Identifier: Apache-2.0
#include "graph_model/dot/dot_words.h"

#include "graph_model/base/utf8.h"

namespace lapidary {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

} // namespace

std::string dotWord(std::string_view bytes)
{
    std::string word;
    word.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = utf8Length(bytes);
        const char c = bytes[0];
        if (length == 0)
            word += replacement;
        else if (c == '\\')
            word += "\\\\";
        else if (c == '\n')
            word += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            word += ' ';
        else
            word += bytes.substr(0, length);
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return word;
}

} // namespace lapidary
