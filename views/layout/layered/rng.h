#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace lapidary::layered {

// SplitMix64: the same numbers on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed)
    {
    }

    std::uint64_t next()
    {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    // 0 .. bound - 1
    int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }

    void shuffle(std::span<int> items)
    {
        for (int i = static_cast<int>(items.size()) - 1; i > 0; --i)
            std::swap(items[i], items[below(i + 1)]);
    }

private:
    std::uint64_t m_state;
};

} // namespace lapidary::layered
