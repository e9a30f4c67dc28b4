// SPDX-License-Identifier: Apache-2.0
// Work that never changes and uses none of our code: the budgets of the other benchmarks are ratios
// to it, so that they hold on slower and faster machines. It hashes, sorts, allocates and
// multiplies, roughly as a graph program does.
#include "tests/perf/figures.h"
#include "tests/perf/stopwatch.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace lapidary::testing {
namespace {

std::uint64_t sortAndHash()
{
    std::uint64_t state = 1;
    std::vector<std::uint64_t> numbers(400'000);
    for (std::uint64_t& number : numbers) {
        state = state * 6364136223846793005U + 1442695040888963407U; // Knuth's MMIX generator
        number = state >> 33U;
    }
    std::ranges::sort(numbers);
    std::unordered_map<std::string, std::uint64_t> byName;
    for (std::size_t i = 0; i < numbers.size(); i += 4)
        byName["node_" + std::to_string(numbers[i])] = i;
    return byName.size() + numbers[numbers.size() / 2];
}

float multiply()
{
    constexpr std::size_t size = 256;
    std::vector<float> a(size * size, 0.5F);
    std::vector<float> b(size * size, 0.25F);
    std::vector<float> sums(size * size, 0.0F);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t k = 0; k < size; ++k)
            for (std::size_t j = 0; j < size; ++j)
                sums[i * size + j] += a[i * size + k] * b[k * size + j];
    return sums.back();
}

} // namespace
} // namespace lapidary::testing

int main()
{
    using namespace lapidary::testing;
    constexpr int rounds = 15;
    Times times;
    double answer = 0;
    for (int round = 0; round < rounds; ++round)
        times.add(timed([&] { answer += double(sortAndHash()) + double(multiply()); }));
    printTimes("yardstick", times);
    recordFigure("yardstick", times.cpu(0));
    return answer > 0 ? 0 : 1;
}
