// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lapidary {

// Protocol buffer wire format (varint 0, fixed64 1, bytes 2, group 3/4, fixed32 5).
enum class WireType : std::uint8_t { Varint, Fixed64, Bytes, StartGroup, EndGroup, Fixed32 };

// One field of a message: pointers to its parts.
struct WireField {
    const char* tag = nullptr;
    const char* length = nullptr;  // Bytes: its length
    const char* payload = nullptr; // the value; the body of a group
    const char* end = nullptr;     // the first byte after the field
    std::uint64_t number = 0;      // value of Varint, Fixed32, Fixed64; length of Bytes
    std::uint32_t field = 0;
    WireType type = WireType::Varint;

    std::string_view bytes() const { return {payload, std::size_t(number)}; }
    std::string_view raw() const { return {tag, std::size_t(end - tag)}; }
};

// Walks over the fields of a message without copying. Reports each fault with the position that
// `lapidary check` shows: a wrong length at the length, a message that was cut off at its end.
// Offsets have 64 bits.
class WireCursor {
public:
    explicit WireCursor(std::string_view message)
        : m_at(message.data())
        , m_end(message.data() + message.size())
    {
    }
    bool next(WireField& field);

    bool failed() const { return m_fault != nullptr; }
    const char* fault() const { return m_fault; } // "truncated", "bad_varint", "overlong_length"...
    const char* faultAt() const { return m_faultAt; }
    // Returns whether the fault is a premature end, so that more bytes might mend it.
    bool ranOut() const { return m_ranOut; }
    const char* at() const { return m_at; }

private:
    bool fail(const char* fault, const char* at, bool ranOut = false);
    bool readVarint(std::uint64_t& value);
    bool readPayload(WireField& field);
    bool skipGroup(WireField& field);

    const char* m_at;
    const char* m_end;
    const char* m_fault = nullptr;
    const char* m_faultAt = nullptr;
    bool m_ranOut = false;
};

// Returns the numbers of a packed field, up to the first damaged one.
std::vector<std::uint64_t> packedVarints(std::string_view payload);

} // namespace lapidary
