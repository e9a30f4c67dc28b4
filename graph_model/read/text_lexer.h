// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

struct TextToken {
    enum class Kind : std::uint8_t { Word, Number, String, Symbol, BadString, End };
    Kind kind = Kind::End;
    std::string_view text; // as in the file, quotes included
    int line = 1;          // 1-based
    int column = 1;        // 1-based, in bytes

    bool is(char symbol) const { return kind == Kind::Symbol && text[0] == symbol; }
};

// The tokens of protobuf's text format. Comments run from # to the end of the line.
class TextLexer {
public:
    explicit TextLexer(std::string_view text);

    const TextToken& peek() const { return m_token; }
    TextToken take();
    // Returns the text from the token of peek() on.
    std::string_view rest() const
    {
        return {m_token.text.data(), std::size_t(m_end - m_token.text.data())};
    }

private:
    void skipSpace();
    void scan();
    void scanString(char quote);

    const char* m_at;
    const char* m_end;
    const char* m_lineStart;
    int m_line = 1;
    TextToken m_token;
};

// Appends the content of a quoted token. Returns null, or the fault of the token as a static text.
const char* unescapeText(std::string_view quoted, std::string& out);

} // namespace lapidary
