// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <array>
#include <cstdint>

namespace lapidary {

// The counter-based generator Philox-4x32-10 (spec: kernels, section A19). One counter value gives
// four words; a copy of a generator gives the same words as the original.
class Philox {
public:
    using Words = std::array<std::uint32_t, 4>;

    Philox() = default;
    Philox(std::uint64_t seed, std::uint64_t seed2)
        : m_counter{0, 0, std::uint32_t(seed2), std::uint32_t(seed2 >> 32U)}
        , m_key{std::uint32_t(seed), std::uint32_t(seed >> 32U)}
    {
    }
    // Makes the generator of the stateless ops, whose seed is a pair of integers.
    static Philox stateless(std::uint64_t seed0, std::uint64_t seed1);
    // The state in the form of TensorFlow 2: the low and the high half of the counter, and the key.
    using State = std::array<std::uint64_t, 3>;
    static Philox of(const State& state);

    State state() const;
    Words next();
    void skip(std::uint64_t counters);

private:
    Words m_counter{};
    std::array<std::uint32_t, 2> m_key{};
};

// Gives the words of a generator one at a time.
class PhiloxWords {
public:
    explicit PhiloxWords(Philox generator)
        : m_generator(generator)
    {
    }
    std::uint32_t next()
    {
        if (m_used == m_words.size()) {
            m_words = m_generator.next();
            m_used = 0;
        }
        return m_words[m_used++];
    }

private:
    Philox m_generator;
    Philox::Words m_words{};
    std::size_t m_used = 4;
};

// Return numbers in [0, 1) from random bits.
float unitFloat(std::uint32_t word);
double unitDouble(std::uint32_t high, std::uint32_t low);
// Return two independent standard normal numbers from random bits.
std::array<float, 2> normalPair(std::uint32_t first, std::uint32_t second);
std::array<double, 2> normalPair(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                 std::uint32_t d);

// Returns the generator of a seeded node, which goes on from run to run. If both seeds are 0, its
// seed is random, or depends on the node's name if SessionState::drawsAlike.
Philox& nodeGenerator(KernelContext& context);
// Returns the generator of a stateless node, whose seed is input `i`.
Result<Philox> statelessGenerator(const KernelContext& context, std::size_t i);
// Reads input `i` as the shape of a result.
Result<Dims> shapeInput(const KernelContext& context, std::size_t i);

} // namespace lapidary
