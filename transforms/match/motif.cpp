#include "transforms/match/motif.h"

#include "transforms/recipe/text_fault.h"

#include <charconv>

namespace lapidary {
namespace {

constexpr std::size_t mostSteps = 100;

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// ">" stands in the names of ops with a namespace, but ends an arrow where "-" is in front.
bool isOpCharacter(char c)
{
    return isLetterOrDigit(c) || c == '_' || c == '.' || c == '/' || c == '>' || c == '*' ||
           c == '?';
}

bool isAttributeCharacter(char c)
{
    return isLetterOrDigit(c) || c == '_' || c == '.';
}

bool isValueCharacter(char c)
{
    return isOpCharacter(c) || c == '-' || c == '+' || c == ':' || c == '@';
}

class MotifParser {
public:
    explicit MotifParser(std::string_view text)
        : m_text(text)
    {
    }

    Result<Motif> parse()
    {
        Motif motif(1);
        while (true) {
            if (const Status read = readStep(motif.back()); !read)
                return read.error();
            skipSpace();
            if (atEnd())
                return motif;
            MotifStep next;
            if (const Status read = readArrow(next); !read)
                return read.error();
            if (motif.size() == mostSteps)
                return fault(m_at, "a motif has at most " + std::to_string(mostSteps) +
                                       " ops; search for a part of it");
            motif.push_back(std::move(next));
        }
    }

private:
    bool atEnd() const { return m_at == m_text.size(); }

    bool take(char c)
    {
        if (atEnd() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }

    void skipSpace()
    {
        while (!atEnd() && isSpace(m_text[m_at]))
            ++m_at;
    }

    bool takeBehindSpace(char c)
    {
        skipSpace();
        return take(c);
    }

    template <class Test>
    std::string takeWhile(const Test& test)
    {
        const std::size_t start = m_at;
        while (!atEnd() && test(m_text[m_at]))
            ++m_at;
        return std::string(m_text.substr(start, m_at - start));
    }

    Status readStep(MotifStep& step)
    {
        do {
            skipSpace();
            std::string op = takeWhile(isOpCharacter);
            if (op.empty())
                return expected("the name of an op, such as Conv2D or Relu*");
            step.ops.push_back(std::move(op));
        } while (takeBehindSpace('|'));
        if (!take('['))
            return Done{};
        do {
            if (const Status read = readTest(step); !read)
                return read;
        } while (takeBehindSpace(','));
        return take(']') ? Status(Done{}) : expected("\"]\", which ends the tests");
    }

    Status readTest(MotifStep& step)
    {
        AttributeTest test;
        skipSpace();
        test.attribute = takeWhile(isAttributeCharacter);
        if (test.attribute.empty())
            return expected("the name of an attribute, as in [padding=SAME]");
        test.isNegated = takeBehindSpace('!');
        if (!take('='))
            return expected(test.isNegated ? "\"=\" behind \"!\"" : "\"=\" or \"!=\"");
        test.isList = takeBehindSpace('[');
        const Status read = test.isList ? readList(test.values) : readValue(test.values);
        step.tests.push_back(std::move(test));
        return read;
    }

    Status readList(std::vector<std::string>& values)
    {
        if (takeBehindSpace(']'))
            return Done{};
        do {
            if (const Status read = readValue(values); !read)
                return read;
        } while (takeBehindSpace(','));
        return take(']') ? Status(Done{}) : expected("\"]\", which ends the list");
    }

    Status readValue(std::vector<std::string>& values)
    {
        skipSpace();
        if (take('"'))
            return readQuoted(values);
        std::string value = takeWhile(isValueCharacter);
        if (value.empty())
            return expected("a value; quote it where it has blanks or signs");
        values.push_back(std::move(value));
        return Done{};
    }

    Status readQuoted(std::vector<std::string>& values)
    {
        const std::size_t start = m_at - 1;
        std::string value;
        while (!atEnd() && m_text[m_at] != '"') {
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size())
                ++m_at;
            value += m_text[m_at++];
        }
        if (!take('"'))
            return fault(start, "this quote is not closed; put a \" behind the value");
        values.push_back(std::move(value));
        return Done{};
    }

    Status readArrow(MotifStep& next)
    {
        const std::size_t start = m_at;
        if (!take('-'))
            return expected("\"->\" and another op, \"|\" or \"[\", or the end");
        next.isControl = take('^');
        const std::string digits = next.isControl ? "" : takeWhile(isDigit);
        if (!digits.empty()) {
            std::uint32_t slot = 0;
            const char* const end = digits.data() + digits.size();
            if (std::from_chars(digits.data(), end, slot).ec != std::errc())
                return fault(start, "no node has that many inputs; write a smaller number");
            next.slot = slot;
        }
        const bool isClosed =
            digits.empty() && !next.isControl ? take('>') : take('-') && take('>');
        if (!isClosed)
            return fault(start, "this is no arrow; write \"->\", \"-0->\" for input 0, or \"-^->\" "
                                "for a control edge");
        return Done{};
    }

    Error expected(const std::string& what) const { return fault(m_at, "expected " + what); }
    Error fault(std::size_t at, const std::string& what) const
    {
        return textFault("motif", m_text, at, what);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

Result<Motif> parseMotif(std::string_view text)
{
    return MotifParser(text).parse();
}

} // namespace lapidary
