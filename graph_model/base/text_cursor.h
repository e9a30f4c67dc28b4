// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lapidary {

// Walks over a text that a user wrote; parsers of small languages are made of it.
class TextCursor {
public:
    // `kind` says in errors what the text is, as in "recipe". Both must outlive the cursor.
    TextCursor(std::string_view kind, std::string_view text)
        : m_kind(kind)
        , m_text(text)
    {
    }

    std::size_t at() const { return m_at; }
    bool atEnd() const { return m_at == m_text.size(); }
    char current() const { return m_text[m_at]; } // not at the end
    std::string_view rest() const { return m_text.substr(m_at); }
    std::string_view from(std::size_t start) const { return m_text.substr(start, m_at - start); }
    // Steps over up to `count` characters.
    void skip(std::size_t count = 1);
    void skipSpace();

    // Steps over `c` if it comes next, and says whether it did.
    bool take(char c);
    bool takeAfterSpace(char c);
    // The longest run of characters that pass the test.
    template <class Test>
    std::string takeWhile(const Test& test)
    {
        const std::size_t start = m_at;
        while (!atEnd() && test(current()))
            ++m_at;
        return std::string(from(start));
    }

    // "KIND, line 2, column 14: WHAT at \"rest\"". Columns count bytes from 1.
    Error errorAt(std::size_t at, const std::string& what) const;
    // Returns that error at the current position: "... expected WHAT ...".
    Error expected(const std::string& what) const { return errorAt(m_at, "expected " + what); }

private:
    std::string_view m_kind;
    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace lapidary
