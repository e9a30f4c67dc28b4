// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/narrow_float.h"
#include "runner/kernels/random/philox.h"

#include <array>
#include <bit>
#include <type_traits>

namespace lapidary {

constexpr std::uint64_t reserved = 256; // counters for one element

template <class T>
constexpr std::size_t groupSize = sizeof(T) == 8 ? 2 : 4; // elements from one counter value

template <class T>
using Group = std::array<T, groupSize<T>>;

// Makes numbers in [0, 1).
struct Uniform {
    template <class T>
    static Group<T> make(Philox& generator, T)
    {
        const Philox::Words words = generator.next();
        if constexpr (std::is_same_v<T, double>)
            return {unitDouble(words[0], words[1]), unitDouble(words[2], words[3])};
        Group<T> group{};
        for (std::size_t i = 0; i < group.size(); ++i) {
            if constexpr (std::is_same_v<T, float>) {
                group[i] = unitFloat(words[i]);
            } else if constexpr (std::is_same_v<T, Half>) {
                const auto bits = std::uint16_t(0x3C00U | (words[i] & 0x3FFU));
                group[i] = Half(Half::floatFromHalf(bits) - 1.0F);
            } else {
                const std::uint32_t bits = 0x3F80U | (words[i] & 0x7FU);
                group[i] = T(std::bit_cast<float>(bits << 16U) - 1.0F);
            }
        }
        return group;
    }
};

// Makes standard normal numbers.
struct Normal {
    template <class T>
    static Group<T> make(Philox& generator, T)
    {
        const Philox::Words w = generator.next();
        if constexpr (std::is_same_v<T, double>) {
            return normalPair(w[0], w[1], w[2], w[3]);
        } else {
            const auto first = normalPair(w[0], w[1]);
            const auto second = normalPair(w[2], w[3]);
            return {T(first[0]), T(first[1]), T(second[0]), T(second[1])};
        }
    }
};

} // namespace lapidary
