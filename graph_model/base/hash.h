// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary {

inline constexpr std::uint64_t goldenRatio64 = 0x9E3779B97F4A7C15U; // 2^64 / golden ratio

// The output function of SplitMix64 (Steele, Lea, Flood 2014): each bit of `x` changes about half
// of the bits of the result.
constexpr std::uint64_t scrambled(std::uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

// Combines two hashes. The order matters: mixHash(a, b) differs from mixHash(b, a).
constexpr std::uint64_t mixHash(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t x = (a ^ (b + goldenRatio64 + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

// The SplitMix64 generator. It gives the same numbers on every machine.
class SplitMix64 {
public:
    explicit constexpr SplitMix64(std::uint64_t seed)
        : m_state(seed)
    {
    }
    constexpr std::uint64_t next() { return scrambled(m_state += goldenRatio64); }

private:
    std::uint64_t m_state;
};

} // namespace lapidary
