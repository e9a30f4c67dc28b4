// SPDX-License-Identifier: Apache-2.0
// Settings in the environment for tests that draw at random.
#pragma once

#include <cstdlib>
#include <random>

namespace lapidary::fuzz {

// LAPIDARY_FUZZ_SECONDS: how long to go on; without it, the test does its least number of rounds.
inline double askedSeconds()
{
    const char* const seconds =
        std::getenv("LAPIDARY_FUZZ_SECONDS");           // NOLINT(concurrency-mt-unsafe)
    return seconds != nullptr ? std::atof(seconds) : 0; // NOLINT(cert-err34-c)
}

// LAPIDARY_FUZZ_SEED: a number that makes other draws than those of every build; without it a
// test draws the same each time, so that a failure can be repeated.
inline std::mt19937 askedRandom(unsigned own)
{
    const char* const seed = std::getenv("LAPIDARY_FUZZ_SEED"); // NOLINT(concurrency-mt-unsafe)
    if (seed == nullptr)
        return std::mt19937(own);
    std::seed_seq both{own, unsigned(std::strtoul(seed, nullptr, 10))};
    return std::mt19937(both);
}

} // namespace lapidary::fuzz
