#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// Protocol buffer wire format (varint 0, fixed64 1, bytes 2, group 3/4, fixed32 5).
enum class WireType : std::uint8_t { Varint, Fixed64, Bytes, StartGroup, EndGroup, Fixed32 };

// Reads one message field by field without copying; offsets are 64 bit. Usage:
//     WireReader reader(bytes);
//     while (reader.next())
//         if (reader.field() == 1 && reader.type() == WireType::Bytes) use(reader.bytes());
//     if (reader.failed()) report(reader.failureOffset(), reader.failure());
class WireReader {
public:
    explicit WireReader(std::string_view message)
        : m_begin(message.data())
        , m_at(message.data())
        , m_end(message.data() + message.size())
        , m_fieldStart(message.data())
    {
    }

    // Advances to the next field; false at the end of the message or at a fault.
    bool next();

    std::uint32_t field() const { return m_field; }
    WireType type() const { return m_type; }
    std::uint64_t varint() const { return m_number; }  // Varint, Fixed64, Fixed32
    std::string_view bytes() const { return m_bytes; } // Bytes; the body of a group
    // The whole field as it stands in the message, tag included.
    std::string_view raw() const { return {m_fieldStart, std::size_t(m_at - m_fieldStart)}; }

    bool failed() const { return m_failure != nullptr; }
    const char* failure() const { return m_failure; } // a fault word: "truncated", "bad_varint"...
    std::size_t failureOffset() const { return std::size_t(m_at - m_begin); }
    std::size_t fieldOffset() const { return std::size_t(m_fieldStart - m_begin); }

private:
    bool readVarint(std::uint64_t& value);
    bool skipGroup();
    bool readPayload();
    bool fail(const char* why);

    const char* m_begin;
    const char* m_at;
    const char* m_end;
    const char* m_fieldStart;
    std::string_view m_bytes;
    std::uint64_t m_number = 0;
    const char* m_failure = nullptr;
    std::uint32_t m_field = 0;
    WireType m_type = WireType::Varint;
};

// The varints of a packed repeated field, one after the other; stops at the end or at a fault.
class VarintSpan {
public:
    explicit VarintSpan(std::string_view packed)
        : m_at(packed.data())
        , m_end(m_at + packed.size())
    {
    }
    bool next(std::uint64_t& value);

private:
    const char* m_at;
    const char* m_end;
};

void appendVarint(std::string& out, std::uint64_t value);

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
