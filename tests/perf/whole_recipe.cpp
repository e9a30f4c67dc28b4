// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/whole_recipe.h"

#include <algorithm>
#include <chrono>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lapidary::testing {
namespace {

double seconds(const timeval& time)
{
    return double(time.tv_sec) + double(time.tv_usec) * 1e-6;
}

WholeRun runOnce(const std::vector<std::string>& command)
{
    std::vector<char*> words;
    for (const std::string& word : command)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const auto begin = std::chrono::steady_clock::now();
    pid_t child = 0;
    const int fault = posix_spawn(&child, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    rusage usage{};
    if (fault != 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        return {};
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    return {wall.count(), seconds(usage.ru_utime) + seconds(usage.ru_stime),
            double(usage.ru_maxrss) * 1024};
}

} // namespace

WholeRun bestOfWholeRuns(const std::vector<std::string>& command, int runs)
{
    WholeRun best = runOnce(command);
    for (int i = 1; i < runs; ++i) {
        const WholeRun one = runOnce(command);
        best = {std::min(best.wall, one.wall), std::min(best.cpu, one.cpu),
                std::max(best.peak, one.peak)};
    }
    return best;
}

} // namespace lapidary::testing
