// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/wire_check.h"

#include "graph_model/base/utf8.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

std::string fieldName(const MessageSpec& message, const FieldSpec& field)
{
    return std::string(message.name) + "." + std::string(field.name);
}

} // namespace

WireType wireTypeOf(FieldType type)
{
    switch (type) {
    case FieldType::Float: return WireType::Fixed32;
    case FieldType::Double: return WireType::Fixed64;
    case FieldType::String:
    case FieldType::Bytes:
    case FieldType::Message: return WireType::Bytes;
    default: return WireType::Varint;
    }
}

bool WireChecker::fatal(const char* kind, const char* at, std::string what)
{
    m_faults.push_back({kind, at, true, std::move(what)});
    return false;
}

bool WireChecker::checkPacked(const FieldSpec& spec, const WireField& field)
{
    const WireType element = wireTypeOf(spec.type);
    if (element != WireType::Varint) {
        const std::size_t size = element == WireType::Fixed32 ? 4 : 8;
        if (field.number % size != 0)
            return fatal("truncated", field.payload,
                         "the packed numbers of " + std::string(spec.name) +
                             " end in the middle of one");
        return true;
    }
    const char* at = field.payload;
    const char* end = at + field.number;
    while (at != end) {
        const char* start = at;
        while (at != end && at - start < 10 && static_cast<signed char>(*at) < 0)
            ++at;
        if (at == end)
            return fatal("truncated", start,
                         "the packed numbers of " + std::string(spec.name) +
                             " end in the middle of one");
        if (at - start >= 10)
            return fatal("bad_varint", start,
                         "a number in " + std::string(spec.name) + " is longer than ten bytes");
        ++at;
    }
    return true;
}

// Checks a field, except the content of a message in it.
bool WireChecker::checkField(const Frame& frame, const WireField& field, int depth)
{
    const FieldSpec* spec = frame.spec->field(field.field);
    if (spec == nullptr) {
        ++m_unknownFields;
        return true;
    }
    const WireType expected = wireTypeOf(spec->type);
    if (field.type != expected) {
        if (field.type == WireType::Bytes && spec->isRepeated() && expected != WireType::Bytes)
            return checkPacked(*spec, field);
        m_faults.push_back({"wrong_wire_type", field.tag, false,
                            "field " + fieldName(*frame.spec, *spec) +
                                " is written as another kind of value and is left out"});
        return true;
    }
    if (spec->type == FieldType::String && !isValidUtf8(field.bytes()))
        m_faults.push_back({"bad_utf8", field.payload, false,
                            "field " + fieldName(*frame.spec, *spec) + " is not UTF-8 text"});
    if (spec->type == FieldType::Message) {
        if (depth + int(m_stack.size()) > maxMessageDepth)
            return fatal("too_deep", field.tag, "messages are nested more than 100 deep");
        m_stack.push_back({WireCursor(field.bytes()), &messageSpec(spec->message())});
    }
    return true;
}

bool WireChecker::check(std::string_view message, MessageId type, int depth)
{
    m_stack.clear();
    m_stack.push_back({WireCursor(message), &messageSpec(type)});
    WireField field;
    while (!m_stack.empty()) {
        if (m_stack.back().cursor.next(field)) {
            const Frame frame = m_stack.back();
            if (!checkField(frame, field, depth))
                return false;
            continue;
        }
        const WireCursor& cursor = m_stack.back().cursor;
        if (cursor.failed())
            return fatal(cursor.fault(), cursor.faultAt(),
                         "message " + std::string(m_stack.back().spec->name) + " is damaged");
        m_stack.pop_back();
    }
    return true;
}

bool looksCutShort(std::string_view bytes, MessageId type)
{
    const MessageSpec* spec = &messageSpec(type);
    std::string_view rest = bytes;
    for (int depth = 0; depth < maxMessageDepth; ++depth) {
        WireCursor cursor(rest);
        WireField field;
        std::uint64_t seen = 0;
        while (cursor.next(field)) {
            const FieldSpec* known = spec->field(field.field);
            if (known == nullptr || (field.type != wireTypeOf(known->type) && !known->isRepeated()))
                return false;
            if (!known->isRepeated() && (seen >> field.field & 1U) != 0)
                return false;
            seen |= std::uint64_t(1) << field.field;
            if (known->type == FieldType::String && field.type == WireType::Bytes &&
                std::ranges::any_of(field.bytes(), [](unsigned char c) { return c < 0x20; }))
                return false;
        }
        if (!cursor.failed())
            return true;
        if (!cursor.ranOut())
            return false;
        if (std::string_view(cursor.fault()) != "overlong_length")
            return true;
        const FieldSpec* known = spec->field(field.field);
        if (known == nullptr || field.number > INT32_MAX)
            return false;
        if (known->type != FieldType::Message)
            return true;
        spec = &messageSpec(known->message());
        rest = {field.payload, std::size_t(bytes.data() + bytes.size() - field.payload)};
    }
    return false;
}

bool isWholeMessage(std::string_view bytes)
{
    WireCursor cursor(bytes);
    WireField field;
    while (cursor.next(field)) {
    }
    return !cursor.failed();
}

} // namespace lapidary
