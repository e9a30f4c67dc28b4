// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/strings/hashes.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace lapidary {
namespace {

std::uint64_t word64(std::string_view text, std::size_t at)
{
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    return word;
}

std::uint64_t word32(std::string_view text, std::size_t at)
{
    std::uint32_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    return word;
}

std::uint64_t byteAt(std::string_view text, std::size_t at)
{
    return static_cast<unsigned char>(text[at]);
}

// FarmHash's 64-bit "na" variant: one formula for each range of lengths.
namespace farm {

constexpr std::uint64_t k0 = 0xc3a5c85c97cb3127;
constexpr std::uint64_t k1 = 0xb492b66fbe98f273;
constexpr std::uint64_t k2 = 0x9ae16a3b2f90404f;

std::uint64_t mixed(std::uint64_t x)
{
    return x ^ (x >> 47U);
}

std::uint64_t joined(std::uint64_t u, std::uint64_t v, std::uint64_t factor)
{
    const std::uint64_t a = mixed((u ^ v) * factor);
    return mixed((v ^ a) * factor) * factor;
}

std::uint64_t upTo16(std::string_view s)
{
    const std::size_t n = s.size();
    const std::uint64_t factor = k2 + n * 2;
    if (n >= 8) {
        const std::uint64_t a = word64(s, 0) + k2;
        const std::uint64_t b = word64(s, n - 8);
        return joined(std::rotr(b, 37) * factor + a, (std::rotr(a, 25) + b) * factor, factor);
    }
    if (n >= 4)
        return joined(n + (word32(s, 0) << 3U), word32(s, n - 4), factor);
    if (n == 0)
        return k2;
    const std::uint64_t y = byteAt(s, 0) + (byteAt(s, n / 2) << 8U);
    const std::uint64_t z = n + (byteAt(s, n - 1) << 2U);
    return mixed((y * k2) ^ (z * k0)) * k2;
}

std::uint64_t upTo32(std::string_view s)
{
    const std::size_t n = s.size();
    const std::uint64_t factor = k2 + n * 2;
    const std::uint64_t a = word64(s, 0) * k1;
    const std::uint64_t b = word64(s, 8);
    const std::uint64_t c = word64(s, n - 8) * factor;
    const std::uint64_t d = word64(s, n - 16) * k2;
    return joined(std::rotr(a + b, 43) + std::rotr(c, 30) + d, a + std::rotr(b + k2, 18) + c,
                  factor);
}

std::uint64_t upTo64(std::string_view s)
{
    const std::size_t n = s.size();
    const std::uint64_t factor = k2 + n * 2;
    const std::uint64_t a = word64(s, 0) * k2;
    const std::uint64_t b = word64(s, 8);
    const std::uint64_t c = word64(s, n - 8) * factor;
    const std::uint64_t d = word64(s, n - 16) * k2;
    const std::uint64_t y = std::rotr(a + b, 43) + std::rotr(c, 30) + d;
    const std::uint64_t z = joined(y, a + std::rotr(b + k2, 18) + c, factor);
    const std::uint64_t e = word64(s, 16) * factor;
    const std::uint64_t f = word64(s, 24);
    const std::uint64_t g = (y + word64(s, n - 32)) * factor;
    const std::uint64_t h = (z + word64(s, n - 24)) * factor;
    return joined(std::rotr(e + f, 43) + std::rotr(g, 30) + h, e + std::rotr(f + a, 18) + g,
                  factor);
}

struct Pair {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};

Pair weak32(std::string_view s, std::size_t at, std::uint64_t a, std::uint64_t b)
{
    const std::uint64_t last = word64(s, at + 24);
    a += word64(s, at);
    b = std::rotr(b + a + last, 21);
    const std::uint64_t c = a;
    a += word64(s, at + 8) + word64(s, at + 16);
    b += std::rotr(a, 44);
    return {a + last, b + c};
}

struct State {
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    std::uint64_t z = 0;
    Pair v;
    Pair w;

    // Mixes in 64 bytes from `at` on. The last block has another factor and other weights.
    void take(std::string_view s, std::size_t at, std::uint64_t factor, std::uint64_t weight)
    {
        x = std::rotr(x + y + v.first + word64(s, at + 8), 37) * factor;
        y = std::rotr(y + v.second + word64(s, at + 48), 42) * factor;
        x ^= w.second * weight;
        y += v.first * weight + word64(s, at + 40);
        z = std::rotr(z + w.first, 33) * factor;
        v = weak32(s, at, v.second * factor, x + w.first);
        w = weak32(s, at + 32, z + w.second, y + word64(s, at + 16));
        std::swap(z, x);
    }
};

std::uint64_t longer(std::string_view s)
{
    constexpr std::uint64_t seed = 81;
    const std::size_t end = (s.size() - 1) / 64 * 64;
    const std::size_t rest = (s.size() - 1) & 63U;
    State state;
    state.x = seed * k2 + word64(s, 0);
    state.y = seed * k1 + 113;
    state.z = mixed(state.y * k2 + 113) * k2;
    for (std::size_t at = 0; at < end; at += 64)
        state.take(s, at, k1, 1);
    const std::uint64_t factor = k1 + ((state.z & 0xFFU) << 1U);
    state.w.first += rest;
    state.v.first += state.w.first;
    state.w.first += state.v.first;
    state.take(s, s.size() - 64, factor, 9);
    return joined(joined(state.v.first, state.w.first, factor) + mixed(state.y) * k0 + state.z,
                  joined(state.v.second, state.w.second, factor) + state.x, factor);
}

} // namespace farm

// The state of SipHash: four words, mixed a few rounds at a time.
class Sip {
public:
    Sip(std::uint64_t key0, std::uint64_t key1)
        : m_v{key0 ^ 0x736f6d6570736575, key1 ^ 0x646f72616e646f6d, key0 ^ 0x6c7967656e657261,
              key1 ^ 0x7465646279746573}
    {
    }

    void take(std::uint64_t word)
    {
        m_v[3] ^= word;
        stir(2);
        m_v[0] ^= word;
    }
    std::uint64_t finish()
    {
        m_v[2] ^= 0xFF;
        stir(4);
        return m_v[0] ^ m_v[1] ^ m_v[2] ^ m_v[3];
    }

private:
    void stir(int rounds)
    {
        for (int i = 0; i < rounds; ++i) {
            half(0, 1, 13, 16, 2, 3);
            half(2, 1, 17, 21, 0, 3);
        }
    }
    void half(std::size_t a, std::size_t b, int left, int right, std::size_t c, std::size_t d)
    {
        m_v[a] += m_v[b];
        m_v[b] = std::rotl(m_v[b], left) ^ m_v[a];
        m_v[a] = std::rotl(m_v[a], 32);
        m_v[c] += m_v[d];
        m_v[d] = std::rotl(m_v[d], right) ^ m_v[c];
    }

    std::array<std::uint64_t, 4> m_v;
};

// Returns the bytes after the last whole word, the lowest first.
std::uint64_t tailOf(std::string_view text)
{
    std::uint64_t word = 0;
    const std::size_t begin = text.size() / 8 * 8;
    for (std::size_t i = begin; i < text.size(); ++i)
        word |= byteAt(text, i) << (8 * (i - begin));
    return word;
}

} // namespace

std::uint64_t fingerprint64(std::string_view text)
{
    if (text.size() <= 16)
        return farm::upTo16(text);
    if (text.size() <= 32)
        return farm::upTo32(text);
    return text.size() <= 64 ? farm::upTo64(text) : farm::longer(text);
}

std::uint64_t murmur64(std::string_view text)
{
    constexpr std::uint64_t seed = 0xDECAFCAFFE;
    constexpr std::uint64_t factor = 0xc6a4a7935bd1e995;
    const auto folded = [](std::uint64_t x) { return x ^ (x >> 47U); };
    std::uint64_t hash = seed ^ (text.size() * factor);
    for (std::size_t at = 0; at + 8 <= text.size(); at += 8)
        hash = (hash ^ (folded(word64(text, at) * factor) * factor)) * factor;
    if (text.size() % 8 != 0)
        hash = (hash ^ tailOf(text)) * factor;
    return folded(folded(hash) * factor);
}

std::uint64_t sipHash(std::string_view text, std::uint64_t key0, std::uint64_t key1)
{
    Sip sip(key0, key1);
    for (std::size_t at = 0; at + 8 <= text.size(); at += 8)
        sip.take(word64(text, at));
    sip.take(tailOf(text) | std::uint64_t(text.size()) << 56U);
    return sip.finish();
}

} // namespace lapidary
