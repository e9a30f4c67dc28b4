// SPDX-License-Identifier: Apache-2.0
#include "runner/values/arena.h"
#include "tests/catch.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace lapidary {
namespace {

constexpr std::uint64_t megabyte = std::uint64_t(1) << 20;

TEST_CASE("blocks of an arena do not meet, and what is given back grows together", "[arena]")
{
    Arena arena(64 * megabyte, Arena::Pages::Plain);
    void* first = arena.take(megabyte);
    if (first == nullptr)
        return; // the system does not grant address ranges, or an address sanitizer watches
    void* second = arena.take(2 * megabyte);
    REQUIRE(second != nullptr);
    std::memset(first, 1, megabyte);
    std::memset(second, 2, 2 * megabyte);
    CHECK(static_cast<const char*>(first)[megabyte - 1] == 1);
    arena.give(first, megabyte);
    arena.give(second, 2 * megabyte);
    CHECK(arena.take(3 * megabyte) == first);
    CHECK(arena.extent() == 3 * megabyte);
    CHECK(arena.take(std::uint64_t(1) << 40) == nullptr);
}

TEST_CASE("an arena in steady use needs little more than what is out at once", "[arena]")
{
    Arena arena(256 * megabyte, Arena::Pages::Huge);
    std::mt19937 random(7);
    std::map<std::byte*, std::uint64_t> out;
    std::uint64_t used = 0;
    std::uint64_t peak = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t size = 64 * (1 + random() % 4096);
        if (used + size > 16 * megabyte) {
            auto victim = out.begin();
            std::advance(victim, std::ptrdiff_t(random() % out.size()));
            arena.give(victim->first, victim->second);
            used -= victim->second;
            out.erase(victim);
            continue;
        }
        auto* const block = static_cast<std::byte*>(arena.take(size));
        if (block == nullptr)
            return; // see above
        const auto next = out.lower_bound(block);
        REQUIRE((next == out.end() || block + size <= next->first));
        REQUIRE((next == out.begin() || std::prev(next)->first + std::prev(next)->second <= block));
        out.emplace(block, size);
        used += size;
        peak = std::max(peak, used);
    }
    CHECK(double(arena.extent()) < 1.3 * double(peak));
}

#ifdef __linux__
TEST_CASE("large pages reach no further than what is used", "[arena]")
{
    if (Arena::isForChecking)
        return;
    const auto page = std::uint64_t(sysconf(_SC_PAGESIZE));
    constexpr std::uint64_t range = 16 * megabyte;
    for (const std::uint64_t bytes :
         {6 * megabyte, 6 * megabyte + 4096 + 64, 9 * megabyte, 8 * megabyte + 64}) {
        Arena arena(range, Arena::Pages::Huge);
        void* const block = arena.take(bytes);
        REQUIRE(block != nullptr);
        std::memset(block, 1, bytes);
        std::vector<unsigned char> isResident(range / page);
        REQUIRE(mincore(block, range, isResident.data()) == 0);
        const auto resident = std::ranges::count_if(
            isResident, [](unsigned char state) { return (state & 1U) != 0; });
        CHECK(std::uint64_t(resident) == (bytes + page - 1) / page);
    }
}
#endif

} // namespace
} // namespace lapidary
