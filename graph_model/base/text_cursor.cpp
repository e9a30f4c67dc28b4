// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/text_cursor.h"

#include "graph_model/base/printable.h"
#include "graph_model/base/text.h"

#include <algorithm>

namespace lapidary {

void TextCursor::skip(std::size_t count)
{
    m_at += std::min(count, m_text.size() - m_at);
}

void TextCursor::skipSpace()
{
    while (!atEnd() && isSpace(current()))
        ++m_at;
}

bool TextCursor::take(char c)
{
    if (atEnd() || current() != c)
        return false;
    ++m_at;
    return true;
}

bool TextCursor::takeAfterSpace(char c)
{
    skipSpace();
    return take(c);
}

Error TextCursor::errorAt(std::size_t at, const std::string& what) const
{
    constexpr std::size_t shown = 40;
    const std::string_view before = m_text.substr(0, at);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t newline = before.rfind('\n');
    const std::size_t column = newline == std::string_view::npos ? at + 1 : at - newline;
    std::string where;
    if (at < m_text.size())
        where = " at " + inQuotes(printable(m_text.substr(at, shown)));
    return {ErrorCode::InvalidArgument, std::string(m_kind) + ", line " + std::to_string(line) +
                                            ", column " + std::to_string(column) + ": " + what +
                                            where};
}

} // namespace lapidary
