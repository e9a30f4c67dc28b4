// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace lapidary {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b]: the effect of byte b followed by k zero bytes, so that eight bytes are one step.
constexpr Tables makeTables()
{
    Tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
        tables[0][byte] = crc;
    }
    for (std::size_t k = 1; k < tables.size(); ++k)
        for (std::size_t byte = 0; byte < 256; ++byte)
            tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xFF];
    return tables;
}
constexpr Tables tables = makeTables();

#if defined(__x86_64__)
// Multiplies two polynomials modulo that of the checksum, with bits in its order: the highest is
// x^0.
constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b)
{
    std::uint32_t sum = 0;
    for (std::uint32_t bit = 1U << 31U; bit != 0; bit >>= 1) {
        if ((a & bit) != 0)
            sum ^= b;
        b = (b >> 1) ^ ((b & 1U) != 0 ? 0x82F63B78U : 0U);
    }
    return sum;
}

// Returns the factor by which a checksum is multiplied when 2^power zero bytes are appended.
constexpr std::uint32_t zerosFactor(int power)
{
    std::uint32_t factor = 1U << 23U; // x^8: one byte
    for (int i = 0; i < power; ++i)
        factor = product(factor, factor);
    return factor;
}

constexpr int lanePower = 14;
constexpr std::size_t laneSize = std::size_t(1) << lanePower;

inline std::uint64_t eightBytes(const char* at)
{
    std::uint64_t eight = 0;
    std::memcpy(&eight, at, 8);
    return eight;
}

// The processor's own instruction computes this polynomial for eight bytes a cycle, but its result
// takes three cycles; so this computes the checksums of three lanes at once.
[[gnu::target("sse4.2")]] std::uint32_t threeLanes(const char* at, std::uint32_t previous)
{
    std::uint64_t first = previous;
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (const char* const end = at + laneSize; at != end; at += 8) {
        first = __builtin_ia32_crc32di(first, eightBytes(at));
        second = __builtin_ia32_crc32di(second, eightBytes(at + laneSize));
        third = __builtin_ia32_crc32di(third, eightBytes(at + 2 * laneSize));
    }
    constexpr std::uint32_t factor = zerosFactor(lanePower);
    const std::uint32_t two = product(factor, std::uint32_t(first)) ^ std::uint32_t(second);
    return product(factor, two) ^ std::uint32_t(third);
}

[[gnu::target("sse4.2")]] std::uint32_t crc32cBySse(std::string_view bytes, std::uint32_t previous)
{
    std::uint32_t lanes = ~previous;
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 3 * laneSize; left -= 3 * laneSize, at += 3 * laneSize)
        lanes = threeLanes(at, lanes);
    std::uint64_t crc = lanes;
    for (; left >= 8; left -= 8, at += 8)
        crc = __builtin_ia32_crc32di(crc, eightBytes(at));
    auto rest = std::uint32_t(crc);
    for (; left > 0; --left)
        rest = __builtin_ia32_crc32qi(rest, static_cast<unsigned char>(*at++));
    return ~rest;
}
#endif

} // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t previous)
{
#if defined(__x86_64__)
    static const bool hasSse = __builtin_cpu_supports("sse4.2");
    if (hasSse)
        return crc32cBySse(bytes, previous);
#endif
    return crc32cByTable(bytes, previous);
}

std::uint32_t crc32cByTable(std::string_view bytes, std::uint32_t previous)
{
    std::uint32_t crc = ~previous;
    const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
    std::size_t left = bytes.size();
    for (; left >= 8; left -= 8, at += 8) {
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        std::memcpy(&low, at, 4);
        std::memcpy(&high, at + 4, 4);
        low ^= crc;
        crc = tables[7][low & 0xFF] ^ tables[6][(low >> 8) & 0xFF] ^ tables[5][(low >> 16) & 0xFF] ^
              tables[4][low >> 24] ^ tables[3][high & 0xFF] ^ tables[2][(high >> 8) & 0xFF] ^
              tables[1][(high >> 16) & 0xFF] ^ tables[0][high >> 24];
    }
    for (; left > 0; --left)
        crc = (crc >> 8) ^ tables[0][(crc ^ *at++) & 0xFF];
    return ~crc;
}

std::uint32_t maskedCrc32c(std::string_view bytes)
{
    return maskedCrc32c(crc32c(bytes));
}

std::uint32_t maskedCrc32c(std::uint32_t crc)
{
    return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

} // namespace lapidary
