// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace lapidary::testing {
namespace {

double threadMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

double at(std::vector<double> all, double share)
{
    if (all.empty())
        return 0;
    std::ranges::sort(all);
    return all[std::min(all.size() - 1, std::size_t(share * double(all.size())))];
}

} // namespace

Elapsed timed(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    const double before = threadMilliseconds();
    work();
    const double cpu = threadMilliseconds() - before;
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    return {wall.count(), cpu};
}

void Times::add(const Elapsed& one)
{
    m_wall.push_back(one.wall);
    m_cpu.push_back(one.cpu);
}

double Times::wall(double share) const
{
    return at(m_wall, share);
}

double Times::cpu(double share) const
{
    return at(m_cpu, share);
}

void printTimes(const char* what, const Times& times, double share, double goal)
{
    std::printf("  %-44s %s wall %8.1f ms  cpu %8.1f ms", what, share == 0.5 ? "median" : "95 %  ",
                times.wall(share), times.cpu(share));
    if (goal > 0)
        std::printf("  goal %g ms: wall %s, cpu %s", goal,
                    times.wall(share) <= goal ? "kept" : "MISSED",
                    times.cpu(share) <= goal ? "kept" : "MISSED");
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace lapidary::testing
