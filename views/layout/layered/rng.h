// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/hash.h"

#include <cstdint>
#include <span>
#include <utility>

namespace lapidary::layered {

// A generator that gives the same numbers on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed)
        : m_numbers(seed)
    {
    }

    // Returns a number in 0 .. bound - 1.
    int below(int bound) { return int(m_numbers.next() % std::uint64_t(bound)); }

    void shuffle(std::span<int> items)
    {
        for (int i = int(items.size()) - 1; i > 0; --i)
            std::swap(items[i], items[below(i + 1)]);
    }

private:
    SplitMix64 m_numbers;
};

} // namespace lapidary::layered
