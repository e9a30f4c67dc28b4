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

constexpr int fewestTries = 5;
constexpr double seconds = 0.2;          // for each peak
constexpr std::int64_t matrixSide = 384; // so short that some tries are not interrupted
constexpr std::int64_t blockBytes = std::int64_t(8) << 20;
constexpr std::int64_t blocks = 8; // together larger than caches
constexpr std::int64_t pieceBytes = std::int64_t(1) << 18;

// Returns the seconds of the fastest try. The first one generates code and maps pages, and does not
// count.
template <class Work>
double fastestSeconds(const Job& job, const Work& work)
{
    const auto begin = Clock::now();
    double best = 0;
    for (int i = 0; !job.cancelled(); ++i) {
        const auto start = Clock::now();
        work(i);
        const auto end = Clock::now();
        const double taken = std::chrono::duration<double>(end - start).count();
        if (i > 0)
            best = i == 1 ? taken : std::min(best, taken);
        if (i >= fewestTries && std::chrono::duration<double>(end - begin).count() > seconds)
            break;
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
    const double multiplied = fastestSeconds(job, [&](int) {
        if (done)
            done =
                onednn::multiply({.rows = matrixSide, .columns = matrixSide, .depth = matrixSide},
                                 ones.data(), ones.data(), product.data());
    });
    RETURN_IF_ERROR(done);
    const std::vector<char> source(std::size_t(blocks * blockBytes), 1);
    std::vector<char> target(source.size());
    const double copied = fastestSeconds(job, [&](int i) {
        constexpr std::int64_t nanosecondsEach = pieceBytes / 10;
        const std::int64_t block = (i % blocks) * blockBytes;
        parallelFor(blockBytes / pieceBytes, nanosecondsEach,
                    [&](std::int64_t begin, std::int64_t end) {
                        std::memcpy(target.data() + block + begin * pieceBytes,
                                    source.data() + block + begin * pieceBytes,
                                    std::size_t((end - begin) * pieceBytes));
                    });
    });
    if (job.cancelled() || !(multiplied > 0) || !(copied > 0))
        return cancelledError();
    peaks.flops = 2.0 * double(matrixSide * matrixSide * matrixSide) / multiplied;
    peaks.bytes = 2.0 * double(blockBytes) / copied;
    return peaks;
}

} // namespace lapidary
