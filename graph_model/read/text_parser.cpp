// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/text_parser.h"

#include "graph_model/base/utf8.h"
#include "graph_model/base/varint.h"
#include "graph_model/read/text_lexer.h"
#include "graph_model/read/text_values.h"
#include "graph_model/read/wire_check.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

using Kind = TextToken::Kind;
constexpr std::size_t maxTextProblems = 200;

void appendFixed(std::string& out, std::uint64_t bits, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        out.push_back(char(bits >> (8 * i)));
}

// A length-delimited field is first written with one byte for its length, which is mostly enough;
// longer fields are moved when their end is known.
void closeLength(std::string& out, std::size_t lengthAt)
{
    const std::size_t length = out.size() - lengthAt - 1;
    if (length < 0x80) {
        out[lengthAt] = char(length);
        return;
    }
    std::string digits;
    appendVarint(digits, length);
    out.replace(lengthAt, 1, digits);
}

struct Frame {
    const MessageSpec* spec = nullptr;
    std::size_t lengthAt = 0;          // of this message in the output
    std::uint64_t seen = 0;            // singular fields that occurred, by index
    const FieldSpec* oneof = nullptr;  // the member that is set
    const FieldSpec* packed = nullptr; // a packed field still open at the end of the output
    std::size_t packedLengthAt = 0;
    const FieldSpec* list = nullptr; // inside "field: [" of messages
    char closer = 0;                 // '}' or '>'
    TextToken opened;
};

class TextParser {
public:
    explicit TextParser(std::string_view text, MessageId type)
        : m_lexer(text)
    {
        m_stack.emplace_back();
        m_stack.back().spec = &messageSpec(type);
    }

    Result<TextParseResult> run(const Job& job);

private:
    bool step();
    bool readField();
    bool readFieldValue(const FieldSpec& field, const TextToken& name);
    bool readAny(const TextToken& open);
    bool openMessage(const FieldSpec& field);
    void pushMessage(const MessageSpec& spec, std::uint32_t tagNumber);
    bool closeMessage();
    bool readScalars(const FieldSpec& field, const TextToken& name);
    bool readScalar(const FieldSpec& field);
    bool readString(const FieldSpec& field);
    void writeScalar(const FieldSpec& field, std::uint64_t bits);
    void noteOnce(const FieldSpec& field, const TextToken& name);
    bool skipUnknown(const TextToken& name, std::string label);
    bool skipValue();
    void closePacked();
    void skipSeparator();
    void report(const char* kind, Severity severity, const TextToken& at, std::string message);
    bool fatal(const char* kind, const TextToken& at, std::string message);
    bool wanted(const char* what);

    TextLexer m_lexer;
    TextToken m_last; // the previous token
    std::vector<Frame> m_stack;
    std::string m_out;
    std::size_t m_wholeSize = 0;
    TextParseResult m_result;
    std::map<std::string, std::size_t> m_unknownCount;

    TextToken take()
    {
        m_last = m_lexer.take();
        return m_last;
    }
};

void TextParser::report(const char* kind, Severity severity, const TextToken& at,
                        std::string message)
{
    if (m_result.problems.size() < maxTextProblems)
        m_result.problems.push_back(
            {kind, severity, {}, {}, at.line, at.column, std::move(message)});
}

bool TextParser::fatal(const char* kind, const TextToken& at, std::string message)
{
    report(kind, Severity::Error, at,
           "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ": " +
               std::move(message));
    m_result.isWhole = false;
    return false;
}

// Reports that `what` is missing before the next token. The position is that of the previous token
// if the next one is on a later line.
bool TextParser::wanted(const char* what)
{
    const TextToken& next = m_lexer.peek();
    if (next.kind == Kind::End)
        return fatal("text_syntax", next,
                     std::string("the text ends where ") + what + " is expected");
    if (next.kind == Kind::BadString)
        return fatal("text_syntax", next, "a quoted text does not end on its line");
    const TextToken& place = next.line == m_last.line || m_last.text.empty() ? next : m_last;
    return fatal("text_syntax", place, std::string(what) + " is expected here");
}

void TextParser::closePacked()
{
    Frame& frame = m_stack.back();
    if (frame.packed == nullptr)
        return;
    closeLength(m_out, frame.packedLengthAt);
    frame.packed = nullptr;
}

void TextParser::skipSeparator()
{
    if (m_lexer.peek().is(',') || m_lexer.peek().is(';'))
        take();
}

void TextParser::pushMessage(const MessageSpec& spec, std::uint32_t tagNumber)
{
    closePacked();
    appendVarint(m_out, (std::uint64_t(tagNumber) << 3) | 2);
    Frame frame;
    frame.spec = &spec;
    frame.lengthAt = m_out.size();
    frame.opened = m_last;
    frame.closer = m_last.is('<') ? '>' : '}';
    m_out.push_back(0);
    m_stack.push_back(frame);
}

bool TextParser::openMessage(const FieldSpec& field)
{
    if (int(m_stack.size()) > maxMessageDepth)
        return fatal("too_deep", m_lexer.peek(), "messages are nested more than 100 deep");
    take();
    pushMessage(messageSpec(field.message()), field.number);
    return true;
}

bool TextParser::closeMessage()
{
    take();
    closePacked();
    closeLength(m_out, m_stack.back().lengthAt);
    m_stack.pop_back();
    Frame& frame = m_stack.back();
    if (frame.list != nullptr) {
        if (m_lexer.peek().is(']')) {
            take();
            frame.list = nullptr;
        } else if (!m_lexer.peek().is(',')) {
            return wanted("a comma or ]");
        } else {
            take();
            if (!m_lexer.peek().is('{') && !m_lexer.peek().is('<'))
                return wanted("{");
            return openMessage(*frame.list);
        }
    }
    skipSeparator();
    if (m_stack.size() == 1)
        m_wholeSize = m_out.size();
    return true;
}

// Reports a singular field or a oneof that is set twice.
void TextParser::noteOnce(const FieldSpec& field, const TextToken& name)
{
    Frame& frame = m_stack.back();
    if (field.isRepeated())
        return;
    const auto bit = std::uint64_t(1) << (&field - frame.spec->fields.data());
    const bool isTwice = (frame.seen & bit) != 0;
    const bool isOther = !isTwice && field.isOneof() && frame.oneof != nullptr;
    frame.seen |= bit;
    if (isTwice)
        report("duplicate_field", Severity::Error, name,
               "line " + std::to_string(name.line) + ": the field " + std::string(field.name) +
                   " is set twice");
    else if (isOther)
        report("duplicate_field", Severity::Error, name,
               "line " + std::to_string(name.line) + ": the field " + std::string(field.name) +
                   " is set beside " + std::string(frame.oneof->name) +
                   ", only one of them may be");
    if (field.isOneof())
        frame.oneof = &field;
}

void TextParser::writeScalar(const FieldSpec& field, std::uint64_t bits)
{
    Frame& frame = m_stack.back();
    const WireType wire = wireTypeOf(field.type);
    if (frame.packed != &field) {
        closePacked();
        const auto type = field.isPacked() ? WireType::Bytes : wire;
        appendVarint(m_out, (std::uint64_t(field.number) << 3) | std::uint64_t(type));
        if (field.isPacked()) {
            frame.packed = &field;
            frame.packedLengthAt = m_out.size();
            m_out.push_back(0);
        }
    }
    if (wire == WireType::Varint)
        appendVarint(m_out, bits);
    else
        appendFixed(m_out, bits, wire == WireType::Fixed32 ? 4 : 8);
}

bool TextParser::readString(const FieldSpec& field)
{
    if (m_lexer.peek().kind != Kind::String)
        return m_lexer.peek().kind == Kind::Number
                   ? fatal("text_number", m_lexer.peek(), "a quoted text is expected, not a number")
                   : wanted("a quoted text");
    closePacked();
    appendVarint(m_out, (std::uint64_t(field.number) << 3) | 2);
    const std::size_t lengthAt = m_out.size();
    m_out.push_back(0);
    while (m_lexer.peek().kind == Kind::String) {
        const TextToken token = take();
        if (const char* fault = unescapeText(token.text, m_out))
            report("text_syntax", Severity::Error, token,
                   "line " + std::to_string(token.line) + ": " + fault);
    }
    if (field.type == FieldType::String &&
        !isValidUtf8(std::string_view(m_out).substr(lengthAt + 1)))
        report("bad_utf8", Severity::Error, m_last,
               "line " + std::to_string(m_last.line) + ": the field " + std::string(field.name) +
                   " is not UTF-8 text");
    closeLength(m_out, lengthAt);
    return true;
}

bool TextParser::readScalar(const FieldSpec& field)
{
    if (field.type == FieldType::String || field.type == FieldType::Bytes)
        return readString(field);
    bool isNegative = false;
    if (m_lexer.peek().is('-')) {
        take();
        isNegative = true;
    }
    const TextToken& next = m_lexer.peek();
    if (next.kind == Kind::End || next.kind == Kind::Symbol || next.kind == Kind::BadString ||
        (next.line != m_last.line && next.kind == Kind::Word))
        return wanted("a value");
    const TextToken token = take();
    const TextScalar scalar = readTextScalar(field, token, isNegative);
    if (scalar.fault == nullptr) {
        writeScalar(field, scalar.bits);
        return true;
    }
    const bool isEnum = field.type == FieldType::Enum && token.kind == Kind::Word;
    report(isEnum ? "text_enum" : "text_number", Severity::Error, token,
           "line " + std::to_string(token.line) + ", column " + std::to_string(token.column) +
               ": field " + std::string(field.name) + ": " + scalar.fault);
    return true;
}

bool TextParser::readScalars(const FieldSpec& field, const TextToken& name)
{
    if (!m_lexer.peek().is('['))
        return readScalar(field);
    if (!field.isRepeated())
        return fatal("text_syntax", name,
                     "the field " + std::string(field.name) + " takes one value, not a list");
    take();
    while (!m_lexer.peek().is(']')) {
        if (!readScalar(field))
            return false;
        if (m_lexer.peek().is(','))
            take();
        else if (!m_lexer.peek().is(']'))
            return wanted("a comma or ]");
    }
    take();
    return true;
}

bool TextParser::readFieldValue(const FieldSpec& field, const TextToken& name)
{
    noteOnce(field, name);
    const bool hasColon = m_lexer.peek().is(':');
    if (hasColon)
        take();
    if (field.type != FieldType::Message) {
        if (!hasColon)
            return wanted("a colon");
        if (!readScalars(field, name))
            return false;
        skipSeparator();
        if (m_stack.size() == 1 && m_stack.back().packed == nullptr)
            m_wholeSize = m_out.size();
        return true;
    }
    if (m_lexer.peek().is('[') && field.isRepeated()) {
        const TextToken bracket = take();
        if (m_lexer.peek().is(']')) {
            take();
            skipSeparator();
            return true;
        }
        if (!m_lexer.peek().is('{') && !m_lexer.peek().is('<'))
            return fatal("text_syntax", bracket, "{ is expected here");
        m_stack.back().list = &field;
        return openMessage(field);
    }
    if (!m_lexer.peek().is('{') && !m_lexer.peek().is('<'))
        return wanted("{");
    return openMessage(field);
}

// Reads [type.googleapis.com/tensorflow.Name] { ... } inside google.protobuf.Any.
bool TextParser::readAny(const TextToken& open)
{
    std::string url;
    while (!m_lexer.peek().is(']')) {
        const TextToken& part = m_lexer.peek();
        const bool isPart = part.kind == Kind::Word || part.kind == Kind::Number || part.is('.') ||
                            part.is('/') || part.is('-');
        if (!isPart)
            return fatal("text_syntax", part.line == open.line ? part : open,
                         "a field name is expected here");
        url.append(take().text);
    }
    take();
    MessageId type = MessageId::Count;
    const std::size_t slash = url.rfind('/');
    const bool isAny = m_stack.back().spec == &messageSpec(MessageId::Any);
    if (!isAny || slash == url.npos ||
        findMessage(std::string_view(url).substr(slash + 1), &type) == nullptr)
        return skipUnknown(open, "[" + url + "]");
    if (m_lexer.peek().is(':'))
        take();
    if (!m_lexer.peek().is('{') && !m_lexer.peek().is('<'))
        return wanted("{");
    if (int(m_stack.size()) > maxMessageDepth)
        return fatal("too_deep", m_lexer.peek(), "messages are nested more than 100 deep");
    appendVarint(m_out, (1U << 3) | 2U);
    appendVarint(m_out, url.size());
    m_out.append(url);
    take();
    pushMessage(messageSpec(type), 2);
    return true;
}

bool TextParser::skipValue()
{
    int depth = 0;
    do {
        const TextToken token = take();
        if (token.kind == Kind::End || token.kind == Kind::BadString)
            return fatal("text_syntax", token, "a quoted text or a message does not end");
        if (token.is('{') || token.is('<') || token.is('['))
            ++depth;
        if (token.is('}') || token.is('>') || token.is(']'))
            --depth;
    } while (depth > 0);
    return depth == 0;
}

bool TextParser::skipUnknown(const TextToken& name, std::string label)
{
    const bool hasColon = m_lexer.peek().is(':');
    if (hasColon)
        take();
    const bool isMessage = m_lexer.peek().is('{') || m_lexer.peek().is('<');
    if (!hasColon && !isMessage)
        return fatal("text_syntax", name,
                     "\"" + label + "\" is not a field, and no value follows it");
    if (m_lexer.peek().is('-'))
        take();
    if (!isMessage && m_lexer.peek().kind == Kind::Symbol && !m_lexer.peek().is('['))
        return wanted("a value");
    const bool isText = m_lexer.peek().kind == Kind::String;
    if (!skipValue())
        return false;
    while (isText && m_lexer.peek().kind == Kind::String)
        take();
    skipSeparator();
    label = std::string(m_stack.back().spec->name) + "." + label;
    if (++m_unknownCount[label] == 1)
        report("unknown_field", Severity::Warning, name,
               "line " + std::to_string(name.line) + ": the field " + label +
                   " is not known and is left out");
    return true;
}

bool TextParser::readField()
{
    const TextToken name = take();
    if (name.is('['))
        return readAny(name);
    const FieldSpec* field = m_stack.back().spec->field(name.text);
    return field == nullptr ? skipUnknown(name, std::string(name.text))
                            : readFieldValue(*field, name);
}

bool TextParser::step()
{
    const TextToken& next = m_lexer.peek();
    if (next.kind == Kind::Word || next.is('['))
        return readField();
    const char closer = m_stack.back().closer;
    if (closer != 0 && next.is(closer))
        return closeMessage();
    if (next.kind == Kind::End)
        return fatal("text_syntax", next,
                     "the text ends inside the message that begins on line " +
                         std::to_string(m_stack.back().opened.line));
    if (next.kind == Kind::BadString)
        return fatal("text_syntax", next, "a quoted text does not end on its line");
    return fatal("text_syntax", next, "a field name is expected here");
}

Result<TextParseResult> TextParser::run(const Job& job)
{
    unsigned count = 0;
    bool isGood = true;
    while (isGood && (m_stack.size() > 1 || m_lexer.peek().kind != Kind::End)) {
        isGood = step();
        if ((++count & 4095U) == 0 && job.cancelled())
            return cancelledError();
    }
    if (isGood) {
        closePacked();
        m_wholeSize = m_out.size();
    }
    m_out.resize(m_wholeSize);
    m_result.encoded = std::move(m_out);
    for (const auto& [label, times] : m_unknownCount)
        for (Problem& problem : m_result.problems)
            if (times > 1 && problem.kind == "unknown_field" &&
                problem.message.find(" " + label + " ") != std::string::npos)
                problem.message += " (" + std::to_string(times) + " times)";
    return std::move(m_result);
}

} // namespace

Result<TextParseResult> parseTextMessage(std::string_view text, MessageId type, const Job& job)
{
    return TextParser(text, type).run(job);
}

} // namespace lapidary
