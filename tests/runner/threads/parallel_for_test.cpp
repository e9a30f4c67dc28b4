// SPDX-License-Identifier: Apache-2.0
#include "runner/guard/run_guard.h"
#include "runner/threads/parallel_for.h"
#include "runner/threads/thread_team.h"
#include "tests/catch.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace lapidary {
namespace {

TEST_CASE("every item is done once, however many threads there are", "[threads]")
{
    for (const int threads : {0, 1, 2, 3}) {
        const ThreadTeam team(threads);
        for (const std::int64_t count : {0, 1, 2, 5, 127, 30'000})
            for (const std::int64_t cost :
                 {std::int64_t(0), std::int64_t(1), std::int64_t(1'000'000), INT64_MAX}) {
                std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
                std::atomic<int> parts = 0;
                parallelFor(count, cost, [&](std::int64_t begin, std::int64_t end) {
                    ++parts;
                    for (std::int64_t i = begin; i < end; ++i)
                        ++done[std::size_t(i)];
                });
                bool all = true;
                for (const auto& times : done)
                    all = all && times == 1;
                CHECK(all);
                CHECK(parts <= std::max(threads, 1));
            }
    }
}

TEST_CASE("work too small to share stays with the caller", "[threads]")
{
    const ThreadTeam team(2);
    int parts = 0;
    parallelFor(10, 1, [&](std::int64_t, std::int64_t) { ++parts; });
    CHECK(parts == 1);
}

TEST_CASE("long work of a run ends between its pieces when the run is canceled", "[threads]")
{
    const ThreadTeam team(1);
    std::stop_source source;
    const Job job(source.get_token());
    const RunGuard guard(std::uint64_t(1) << 40, heap::bytesInUse(), job);
    std::int64_t items = 0;
    parallelFor(100, 1'000'000,
                [&](std::int64_t begin, std::int64_t end) { items += end - begin; });
    CHECK(items == 100);
    items = 0;
    const auto cancelAtOnce = [&](std::int64_t begin, std::int64_t end) {
        items += end - begin;
        source.request_stop();
    };
    CHECK_THROWS_AS(parallelFor(100, 1'000'000, cancelAtOnce), RunStopped);
    CHECK(items < 100);
}

TEST_CASE("every thread of a team reads denormals as zero", "[threads]")
{
    const ThreadTeam team(2);
    std::vector<float> sums(2, -1.0F);
    parallelFor(2, 1'000'000, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            volatile float denormal = 1e-40F;
            sums[std::size_t(i)] = denormal * 1e20F;
        }
    });
    CHECK(sums == std::vector<float>{0.0F, 0.0F});
}

} // namespace
} // namespace lapidary
