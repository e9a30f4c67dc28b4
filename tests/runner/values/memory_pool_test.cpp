// SPDX-License-Identifier: Apache-2.0
#include "runner/values/arena.h"
#include "runner/values/memory_pool.h"
#include "tests/catch.h"

#include <cstring>
#include <thread>
#include <vector>

namespace lapidary {
namespace {

TEST_CASE("blocks of every size are aligned, apart and counted", "[pool]")
{
    MemoryPool pool(std::uint64_t(1) << 26);
    std::vector<std::pair<std::shared_ptr<void>, std::size_t>> blocks;
    for (const std::size_t size : {0, 1, 63, 64, 65, 700, 1023, 1024, 1025, 4097, 1 << 20})
        for (int i = 0; i < 3; ++i) {
            auto block = pool.allocate(size);
            REQUIRE(block.ok());
            CHECK(reinterpret_cast<std::uintptr_t>(block->get()) % 64 == 0);
            std::memset(block->get(), int(blocks.size()), size);
            blocks.emplace_back(*std::move(block), size);
        }
    for (std::size_t i = 0; i < blocks.size(); ++i)
        for (std::size_t at = 0; at < blocks[i].second; ++at)
            REQUIRE(static_cast<const unsigned char*>(blocks[i].first.get())[at] == i);
    CHECK(pool.usedBytes() > 3 << 20);
    blocks.clear();
    CHECK(pool.usedBytes() == 0);
    CHECK(pool.peakBytes() > 3 << 20);
}

TEST_CASE("memory that was given back is used again", "[pool]")
{
    MemoryPool pool(1 << 20);
    for (const std::size_t size : {100, 100000}) {
        const void* before = pool.allocate(size).value().get();
        const void* after = pool.allocate(size).value().get();
        // An address sanitizer does not reuse freed memory, so every block is a new one.
        CHECK((after == before || Arena::isForChecking));
    }
}

TEST_CASE("blocks outlive their pool and end on any thread", "[pool]")
{
    std::vector<std::shared_ptr<void>> blocks;
    {
        MemoryPool pool(1 << 22);
        for (int i = 0; i < 100; ++i)
            blocks.push_back(pool.allocate(std::size_t(i) * 300).value());
    }
    std::memset(blocks.back().get(), 1, std::size_t(99) * 300);
    std::thread([&] { blocks.clear(); }).join();
    CHECK(blocks.empty());
}

} // namespace
} // namespace lapidary
