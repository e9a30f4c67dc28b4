// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// Protocol buffer varints: seven bits a byte, the lowest first, the highest bit set in all bytes
// but the last. A number takes at most ten bytes.

// Reads a number from the front of `bytes` and removes it. Returns false if the bytes end within
// the number or it is longer than ten bytes; the bytes that were read are then removed.
inline bool takeVarint(std::string_view& bytes, std::uint64_t& value)
{
    value = 0;
    for (int shift = 0; shift < 70 && !bytes.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        value |= std::uint64_t(byte & 0x7F) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

inline void appendVarint(std::string& out, std::uint64_t value)
{
    while (value >= 0x80) {
        out.push_back(char(value | 0x80));
        value >>= 7;
    }
    out.push_back(char(value));
}

// Returns the number of bytes that appendVarint() adds.
constexpr std::uint64_t varintSize(std::uint64_t value)
{
    return (std::uint64_t(std::bit_width(value | 1U)) + 6) / 7;
}

// Returns the size in bytes of a length-delimited field whose number is below 16: tag, length and
// `length` bytes.
constexpr std::uint64_t bytesFieldSize(std::uint64_t length)
{
    return 1 + varintSize(length) + length;
}

// The varints of a packed repeated field; stops at the end or at a fault.
class VarintSpan {
public:
    explicit VarintSpan(std::string_view packed)
        : m_left(packed)
    {
    }
    bool next(std::uint64_t& value) { return takeVarint(m_left, value); }

private:
    std::string_view m_left;
};

} // namespace lapidary
