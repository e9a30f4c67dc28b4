// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/text_lexer.h"

#include "graph_model/base/text.h"

namespace lapidary {
namespace {

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int hexDigit(char c)
{
    if (isDigit(c))
        return c - '0';
    const char lower = char(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

char simpleEscape(char c)
{
    switch (c) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    case '\\':
    case '?':
    case '\'':
    case '"': return c;
    default: return 0;
    }
}

void appendUtf8(std::uint32_t code, std::string& out)
{
    if (code < 0x80) {
        out.push_back(char(code));
    } else if (code < 0x800) {
        out.push_back(char(0xC0 | (code >> 6)));
        out.push_back(char(0x80 | (code & 0x3F)));
    } else if (code < 0x10000) {
        out.push_back(char(0xE0 | (code >> 12)));
        out.push_back(char(0x80 | ((code >> 6) & 0x3F)));
        out.push_back(char(0x80 | (code & 0x3F)));
    } else {
        out.push_back(char(0xF0 | (code >> 18)));
        out.push_back(char(0x80 | ((code >> 12) & 0x3F)));
        out.push_back(char(0x80 | ((code >> 6) & 0x3F)));
        out.push_back(char(0x80 | (code & 0x3F)));
    }
}

// Reads up to `limit` digits of a base; advances `at`.
std::uint32_t readDigits(const char*& at, const char* end, int base, int limit, int* count)
{
    std::uint32_t value = 0;
    *count = 0;
    while (at != end && *count < limit) {
        const int digit = hexDigit(*at);
        if (digit < 0 || digit >= base)
            break;
        value = value * std::uint32_t(base) + std::uint32_t(digit);
        ++at;
        ++*count;
    }
    return value;
}

const char* unescapeOne(const char*& at, const char* end, std::string& out)
{
    const char kind = *at;
    int count = 0;
    if (kind >= '0' && kind <= '7') {
        out.push_back(char(readDigits(at, end, 8, 3, &count)));
        return nullptr;
    }
    ++at;
    if (kind == 'x' || kind == 'X') {
        const std::uint32_t byte = readDigits(at, end, 16, 2, &count);
        out.push_back(char(byte));
        return count > 0 ? nullptr : "\\x wants hexadecimal digits";
    }
    if (kind == 'u' || kind == 'U') {
        const int wanted = kind == 'u' ? 4 : 8;
        std::uint32_t code = readDigits(at, end, 16, wanted, &count);
        if (count != wanted || code > 0x10FFFF)
            return "\\u wants four hexadecimal digits, \\U eight";
        const bool isHigh = code >= 0xD800 && code < 0xDC00;
        if (isHigh && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
            const char* low = at + 2;
            const std::uint32_t second = readDigits(low, end, 16, 4, &count);
            if (count == 4 && second >= 0xDC00 && second < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
                at = low;
            }
        }
        appendUtf8(code, out);
        return nullptr;
    }
    const char plain = simpleEscape(kind);
    if (plain == 0)
        return "there is no such escape";
    out.push_back(plain);
    return nullptr;
}

} // namespace

TextLexer::TextLexer(std::string_view text)
    : m_at(text.data())
    , m_end(text.data() + text.size())
    , m_lineStart(text.data())
{
    scan();
}

TextToken TextLexer::take()
{
    const TextToken token = m_token;
    scan();
    return token;
}

void TextLexer::skipSpace()
{
    while (m_at != m_end) {
        const char c = *m_at;
        if (c == '\n') {
            ++m_line;
            m_lineStart = ++m_at;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++m_at;
        } else if (c == '#') {
            while (m_at != m_end && *m_at != '\n')
                ++m_at;
        } else {
            return;
        }
    }
}

// protobuf's tokenizer regards a zero byte as the end of its input.
void TextLexer::scanString(char quote)
{
    const auto breaks = [](char c) { return c == '\n' || c == '\0'; };
    m_token.kind = TextToken::Kind::BadString;
    ++m_at;
    while (m_at != m_end && !breaks(*m_at)) {
        if (*m_at == quote) {
            ++m_at;
            m_token.kind = TextToken::Kind::String;
            return;
        }
        if (*m_at == '\\' && m_at + 1 != m_end && !breaks(m_at[1]))
            ++m_at;
        ++m_at;
    }
}

void TextLexer::scan()
{
    using Kind = TextToken::Kind;
    skipSpace();
    const char* start = m_at;
    m_token.line = m_line;
    m_token.column = int(m_at - m_lineStart) + 1;
    if (m_at == m_end) {
        m_token.kind = Kind::End;
    } else if (isLetter(*m_at)) {
        m_token.kind = Kind::Word;
        while (m_at != m_end && (isLetter(*m_at) || isDigit(*m_at)))
            ++m_at;
    } else if (isDigit(*m_at) || (*m_at == '.' && m_end - m_at > 1 && isDigit(m_at[1]))) {
        m_token.kind = Kind::Number;
        bool isExponent = false;
        while (m_at != m_end && (isLetter(*m_at) || isDigit(*m_at) || *m_at == '.' ||
                                 (isExponent && (*m_at == '+' || *m_at == '-')))) {
            isExponent = (*m_at | 0x20) == 'e' && !(m_at - start >= 2 && (start[1] | 0x20) == 'x');
            ++m_at;
        }
    } else if (*m_at == '"' || *m_at == '\'') {
        scanString(*m_at);
    } else {
        m_token.kind = Kind::Symbol;
        ++m_at;
    }
    m_token.text = {start, std::size_t(m_at - start)};
}

const char* unescapeText(std::string_view quoted, std::string& out)
{
    const char* at = quoted.data() + 1;
    const char* end = quoted.data() + quoted.size() - 1;
    while (at != end) {
        const char* plain = at;
        while (at != end && *at != '\\')
            ++at;
        out.append(plain, at);
        if (at == end)
            break;
        if (++at == end)
            return "the text ends with a backslash";
        if (const char* fault = unescapeOne(at, end, out))
            return fault;
    }
    return nullptr;
}

} // namespace lapidary
