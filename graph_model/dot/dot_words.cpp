#include "graph_model/dot/dot_words.h"

namespace lapidary {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Length of the UTF-8 character at the start of `text`; 0 where there is none.
std::size_t characterLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0U) != 0x80U)
            return 0;
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool outside = (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF4 && byte(1) > 0x8F);
    return overlong || outside ? 0 : length;
}

} // namespace

std::string dotWord(std::string_view bytes)
{
    std::string word;
    word.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = characterLength(bytes);
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
