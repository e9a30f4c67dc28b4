// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/machine_peaks.h"

#include "runner/onednn/gemm.h"
#include "runner/threads/parallel_for.h"
#include "runner/threads/thread_team.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int tries = 5;
constexpr std::int64_t matrixSide = 768;
constexpr std::size_t memoryBytes = std::size_t(64) << 20; // more than caches hold
constexpr std::int64_t pieceBytes = std::int64_t(1) << 20;

template <class Work>
double fastestSeconds(const Work& work)
{
    double best = 0;
    for (int i = 0; i <= tries; ++i) {
        const auto begin = Clock::now();
        work();
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (i > 0) // the first one makes code and pages
            best = i == 1 ? seconds : std::min(best, seconds);
    }
    return best;
}

} // namespace

Result<MachinePeaks> measurePeaks(int threads, const Job& job)
{
    const ThreadTeam team(std::max(threads, 1));
    MachinePeaks peaks;
    peaks.threads = std::max(threads, 1);
    const std::vector<float> ones(std::size_t(matrixSide * matrixSide), 1.0F);
    std::vector<float> product(ones.size());
    Status done = Done{};
    const double multiplied = fastestSeconds([&] {
        if (!job.cancelled() && done)
            done =
                onednn::multiply({.rows = matrixSide, .columns = matrixSide, .depth = matrixSide},
                                 ones.data(), ones.data(), product.data());
    });
    RETURN_IF_ERROR(done);
    const std::vector<char> source(memoryBytes, 1);
    std::vector<char> target(memoryBytes);
    const double copied = fastestSeconds([&] {
        if (job.cancelled())
            return;
        constexpr std::int64_t nanosecondsEach = pieceBytes / 10;
        parallelFor(std::int64_t(memoryBytes) / pieceBytes, nanosecondsEach,
                    [&](std::int64_t begin, std::int64_t end) {
                        std::memcpy(target.data() + begin * pieceBytes,
                                    source.data() + begin * pieceBytes,
                                    std::size_t((end - begin) * pieceBytes));
                    });
    });
    if (job.cancelled() || !(multiplied > 0) || !(copied > 0))
        return cancelledError();
    peaks.flops = 2.0 * double(matrixSide * matrixSide * matrixSide) / multiplied;
    peaks.bytes = 2.0 * double(memoryBytes) / copied;
    return peaks;
}

} // namespace lapidary
