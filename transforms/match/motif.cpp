// SPDX-License-Identifier: Apache-2.0
#include "transforms/match/motif.h"

#include "graph_model/base/text.h"
#include "graph_model/base/text_cursor.h"

#include <charconv>

namespace lapidary {
namespace {

constexpr std::size_t mostSteps = 100;

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c);
}

// ">" occurs in names of ops with a namespace, but ends an arrow if "-" precedes it.
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

class MotifParser : private TextCursor {
public:
    explicit MotifParser(std::string_view text)
        : TextCursor("motif", text)
    {
    }

    Result<Motif> parse()
    {
        Motif motif(1);
        while (true) {
            RETURN_IF_ERROR(readStep(motif.back()));
            skipSpace();
            if (atEnd())
                return motif;
            MotifStep next;
            RETURN_IF_ERROR(readArrow(next));
            if (motif.size() == mostSteps)
                return errorAt(at(), "a motif has at most " + std::to_string(mostSteps) +
                                         " ops; search for a part of it");
            motif.push_back(std::move(next));
        }
    }

private:
    Status readStep(MotifStep& step)
    {
        do {
            skipSpace();
            std::string op = takeWhile(isOpCharacter);
            if (op.empty())
                return expected("the name of an op, such as Conv2D or Relu*");
            step.ops.push_back(std::move(op));
        } while (takeAfterSpace('|'));
        if (!take('['))
            return Done{};
        do {
            RETURN_IF_ERROR(readTest(step));
        } while (takeAfterSpace(','));
        return take(']') ? Status(Done{}) : expected("\"]\", which ends the tests");
    }

    Status readTest(MotifStep& step)
    {
        AttributeTest test;
        skipSpace();
        test.attribute = takeWhile(isAttributeCharacter);
        if (test.attribute.empty())
            return expected("the name of an attribute, as in [padding=SAME]");
        test.isNegated = takeAfterSpace('!');
        if (!take('='))
            return expected(test.isNegated ? "\"=\" after \"!\"" : "\"=\" or \"!=\"");
        test.isList = takeAfterSpace('[');
        const Status read = test.isList ? readList(test.values) : readValue(test.values);
        step.tests.push_back(std::move(test));
        return read;
    }

    Status readList(std::vector<std::string>& values)
    {
        if (takeAfterSpace(']'))
            return Done{};
        do {
            RETURN_IF_ERROR(readValue(values));
        } while (takeAfterSpace(','));
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
        const std::size_t start = at() - 1;
        std::string value;
        while (!atEnd() && current() != '"') {
            if (current() == '\\' && rest().size() > 1)
                skip();
            value += current();
            skip();
        }
        if (!take('"'))
            return errorAt(start, "this quote is not closed; put a \" behind the value");
        values.push_back(std::move(value));
        return Done{};
    }

    Status readArrow(MotifStep& next)
    {
        const std::size_t start = at();
        if (!take('-'))
            return expected("\"->\" and another op, \"|\" or \"[\", or the end");
        next.isControl = take('^');
        const std::string digits = next.isControl ? "" : takeWhile(isDigit);
        if (!digits.empty()) {
            std::uint32_t slot = 0;
            const char* const end = digits.data() + digits.size();
            if (std::from_chars(digits.data(), end, slot).ec != std::errc())
                return errorAt(start, "no node has that many inputs; write a smaller number");
            next.slot = slot;
        }
        const bool isClosed =
            digits.empty() && !next.isControl ? take('>') : take('-') && take('>');
        if (!isClosed)
            return errorAt(start,
                           "this is not an arrow; write \"->\", \"-0->\" for input 0, or \"-^->\" "
                           "for a control edge");
        return Done{};
    }
};

} // namespace

Result<Motif> parseMotif(std::string_view text)
{
    return MotifParser(text).parse();
}

} // namespace lapidary
