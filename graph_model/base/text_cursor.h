// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lapidary {

// A position in a text that a user wrote, for parsers of small languages.
class TextCursor {
public:
    // `kind` names the text in errors, such as "recipe". Both must outlive the cursor.
    TextCursor(std::string_view kind, std::string_view text)
        : m_kind(kind)
        , m_text(text)
    {
    }

    std::size_t at() const { return m_at; }
    bool atEnd() const { return m_at == m_text.size(); }
    char current() const { return m_text[m_at]; } // must not be called at the end
    std::string_view rest() const { return m_text.substr(m_at); }
    std::string_view from(std::size_t start) const { return m_text.substr(start, m_at - start); }
    // Steps over up to `count` characters.
    void skip(std::size_t count = 1);
    void skipSpace();

    // Steps over `c` if it comes next. Returns whether it did.
    bool take(char c);
    bool takeAfterSpace(char c);
    // Steps over the longest run of characters that pass the test, and returns it.
    template <class Test>
    std::string takeWhile(const Test& test)
    {
        const std::size_t start = m_at;
        while (!atEnd() && test(current()))
            ++m_at;
        return std::string(from(start));
    }

    // Returns the error "KIND, line 2, column 14: WHAT at \"rest\"". Columns count bytes from 1.
    Error errorAt(std::size_t at, const std::string& what) const;
    // Returns that error at the current position: "... expected WHAT ...".
    Error expected(const std::string& what) const { return errorAt(m_at, "expected " + what); }

private:
    std::string_view m_kind;
    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace lapidary
