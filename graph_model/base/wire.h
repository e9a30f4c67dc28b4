// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/varint.h"
#include "graph_model/base/wire_cursor.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// Reads a message field by field without copying, for code that needs no details of a fault;
// WireCursor reports those. Usage:
//     WireReader reader(bytes);
//     while (reader.next())
//         if (reader.field() == 1 && reader.type() == WireType::Bytes) use(reader.bytes());
//     if (reader.failed()) ...
class WireReader {
public:
    explicit WireReader(std::string_view message)
        : m_cursor(message)
    {
    }

    // Advances to the next field; false at the end of the message or at a fault.
    bool next() { return m_cursor.next(m_field); }

    std::uint32_t field() const { return m_field.field; }
    WireType type() const { return m_field.type; }
    // The value of a Varint, Fixed64 or Fixed32 field; 0 for others.
    std::uint64_t varint() const { return isText() ? 0 : m_field.number; }
    // The value of a Bytes field or the body of a group; empty for others.
    std::string_view bytes() const { return isText() ? m_field.bytes() : std::string_view(); }
    // The whole field, including its tag, as in the message.
    std::string_view raw() const { return m_field.raw(); }

    bool failed() const { return m_cursor.failed(); }

private:
    bool isText() const { return type() == WireType::Bytes || type() == WireType::StartGroup; }

    WireCursor m_cursor;
    WireField m_field;
};

// Appends fields to a message. The caller writes fields in ascending order.
class WireWriter {
public:
    explicit WireWriter(std::string& out)
        : m_out(out)
    {
    }
    void varint(std::uint32_t field, std::uint64_t value);
    void fixed32(std::uint32_t field, std::uint32_t value);
    void bytes(std::uint32_t field, std::string_view value);
    void raw(std::string_view wholeField) { m_out.append(wholeField); }

private:
    std::string& m_out;
};

} // namespace lapidary
