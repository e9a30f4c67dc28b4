// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <array>
#include <cstdint>

namespace lapidary {

// The counter-based generator Philox-4x32-10 (spec: kernels, section A19). One counter value gives
// four words; a copy of a generator repeats what the original gives.
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
    // As TensorFlow 2 keeps a generator: the low and the high half of the counter, and the key.
    using State = std::array<std::uint64_t, 3>;
    static Philox of(const State& state);

    State state() const;
    Words next();
    void skip(std::uint64_t counters);

private:
    Words m_counter{};
    std::array<std::uint32_t, 2> m_key{};
};

// Words of a generator one at a time.
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

// [0, 1) from random bits.
float unitFloat(std::uint32_t word);
double unitDouble(std::uint32_t high, std::uint32_t low);
// Two independent standard normal numbers from uniform ones.
std::array<float, 2> normalPair(std::uint32_t first, std::uint32_t second);
std::array<double, 2> normalPair(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                 std::uint32_t d);

// The generator of a seeded node, which goes on from run to run; random where both seeds are 0.
Philox& nodeGenerator(KernelContext& context);
// The generator of a stateless node, whose seed is input `i`.
Result<Philox> statelessGenerator(const KernelContext& context, std::size_t i);
// Input `i` as the shape of a result.
Result<Dims> shapeInput(const KernelContext& context, std::size_t i);

} // namespace lapidary
