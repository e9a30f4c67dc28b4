// SPDX-License-Identifier: Apache-2.0
#include "runner/guard/machine_memory.h"
#include "runner/guard/out_of_memory.h"
#include "runner/guard/run_guard.h"
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"
#include "runner/threads/thread_team.h"
#include "tests/catch.h"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace lapidary {
namespace {

TEST_CASE("a limit allows so much more than there was before", "[guard]")
{
    const Job job;
    const RunGuard limit(1000, 5000, job);
    CHECK(limit.allows(4000));
    CHECK(limit.allows(6000));
    CHECK_FALSE(limit.allows(6001));
    CHECK(RunGuard::ofThread() == &limit);
    {
        const RunGuard inner(10, 0, job);
        CHECK(RunGuard::ofThread() == &inner);
    }
    CHECK(RunGuard::ofThread() == &limit);
    const RunGuard::Shared nobody(nullptr);
    CHECK(RunGuard::ofThread() == nullptr);
}

TEST_CASE("values beside a run have the limit of the run, or else the usual one", "[guard]")
{
    CHECK(memoryLimitOfThread() == usualMemoryLimit());
    const Job job;
    const RunGuard run(1000, 0, job);
    CHECK(memoryLimitOfThread() == 1000);
}

TEST_CASE("a thread's memory is counted in the sum", "[guard]")
{
    const std::int64_t before = heap::bytesInUse();
    heap::add(100);
    CHECK(heap::bytesInUse() == before + 100);
    heap::add(10 << 20);
    CHECK(heap::bytesInUse() == before + 100 + (10 << 20));
    heap::add(-100 - (10 << 20));
    CHECK(heap::bytesInUse() == before);
}

TEST_CASE("a kernel without memory is an error that names the node", "[guard]")
{
    const Kernel greedy{.op = "Greedy",
                        .run = [](KernelContext&) -> Status { throw std::bad_alloc(); }};
    const Kernel longest{.op = "Longest", .run = [](KernelContext&) -> Status {
                             throw std::length_error("vector");
                         }};
    NodeDraft draft;
    draft.name = "big";
    draft.op = "Greedy";
    const NodePtr node = draft.finish();
    SessionState session(1 << 20);
    std::any state;
    const Job job;
    const CallFunction noCalls;
    KernelContext context(*node, {}, {}, session, state, job, noCalls);
    for (const Kernel* kernel : {&greedy, &longest}) {
        const Status status = runChecked(*kernel, context);
        REQUIRE_FALSE(status);
        CHECK(status.error().message.starts_with("big: "));
        CHECK(status.error().message.find("memory") != std::string::npos);
    }
}

TEST_CASE("a cancelled run leaves the inside of a sort", "[guard]")
{
    std::stop_source source;
    const Job job(source.get_token());
    const RunGuard guard(1 << 20, heap::bytesInUse(), job);
    const auto work = [] {
        std::vector<int> numbers(100'000);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = int(i * 7919 % 100'003);
        std::ranges::sort(numbers, [](int a, int b) {
            stopPoint();
            return a < b;
        });
        return Status(Done{});
    };
    CHECK(withinMemory("sort", work).ok());
    source.request_stop();
    const Status stopped = withinMemory("sort", work);
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().code == ErrorCode::Cancelled);
}

TEST_CASE("parallel parts without memory report that to the caller", "[guard]")
{
    const ThreadTeam team(2);
    const auto work = [] {
        parallelFor(1000, 1'000'000, [](std::int64_t, std::int64_t end) {
            if (end == 1000)
                throw std::bad_alloc();
        });
    };
    CHECK_THROWS_AS(work(), std::bad_alloc);
}

TEST_CASE("the usual limit is part of the machine's memory", "[guard]")
{
    CHECK(usualMemoryLimit() > 0);
    if (machineMemory() != 0)
        CHECK(usualMemoryLimit() < machineMemory());
}

} // namespace
} // namespace lapidary
