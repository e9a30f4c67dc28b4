// SPDX-License-Identifier: Apache-2.0
// gemmlowp's product of patches that are written to memory, as TensorFlow's own 8-bit kernels use
// it, built for SSE4.1 (on ARM for NEON). Each thread multiplies rows of its own.
#include "runner/int8/patches.h"
#include "runner/int8/tested.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

#if defined(__x86_64__) && !defined(__clang__)
#include <immintrin.h>
#pragma GCC push_options
#pragma GCC target("sse4.1")
#define LAPIDARY_NEEDS_SSE41 1
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <gemmlowp/public/gemmlowp.h>
#pragma GCC diagnostic pop

namespace lapidary::int8 {
namespace {

struct Product {
    int rows = 0;
    int columns = 0;
    int depth = 0;
    Zeros zeros;
};

void multiply(const Product& p, const std::uint8_t* a, const std::uint8_t* b, std::int32_t* c)
{
    using gemmlowp::MapOrder;
    const gemmlowp::MatrixMap<const std::uint8_t, MapOrder::RowMajor> left(a, p.rows, p.depth);
    const gemmlowp::MatrixMap<const std::uint8_t, MapOrder::RowMajor> right(b, p.depth, p.columns);
    gemmlowp::MatrixMap<std::int32_t, MapOrder::RowMajor> sums(c, p.rows, p.columns);
    gemmlowp::GemmContext context;
    context.set_max_num_threads(1);
    gemmlowp::GemmWithOutputPipeline<std::uint8_t, std::int32_t,
                                     gemmlowp::DefaultL8R8BitDepthParams>(
        &context, left, right, &sums, -p.zeros.input, -p.zeros.filter, std::make_tuple());
}

} // namespace
} // namespace lapidary::int8

#if defined(LAPIDARY_NEEDS_SSE41)
#pragma GCC pop_options
#endif

namespace lapidary::int8 {
namespace {

constexpr std::int64_t highestCode = 255;
constexpr std::int64_t largestSum = std::numeric_limits<std::int32_t>::max();

class Gemmlowp final : public Prepared {
public:
    explicit Gemmlowp(const Convolution& shape)
        : m_c(shape)
    {
    }

    std::size_t workBytes(int /*threads*/) const override
    {
        return m_c.isMatrixProduct() ? 0 : std::size_t(m_c.outPixels() * m_c.depth());
    }
    // Neither its sums nor its sizes may overflow.
    bool takes(Zeros zeros) const override
    {
        return zeros.input >= 0 && zeros.input <= highestCode && zeros.filter >= 0 &&
               zeros.filter <= highestCode &&
               m_c.depth() <= largestSum / (highestCode * highestCode) &&
               m_c.outPixels() <= largestSum / std::max(m_c.filters, m_c.depth());
    }

    Status run(const Task& task) const override
    {
        const std::uint8_t* rows = task.input;
        if (!m_c.isMatrixProduct()) {
            auto* written = reinterpret_cast<std::uint8_t*>(task.work);
            writePatches(m_c, task, written);
            rows = written;
        }
        constexpr std::int64_t blockRows = 256; // elements between two checks of the job
        const std::int64_t cost = m_c.depth() * m_c.filters / 16 + 1;
        parallelFor(m_c.outPixels(), cost, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t at = begin; at < end && !task.job->cancelled(); at += blockRows)
                multiply({int(std::min(blockRows, end - at)), int(m_c.filters), int(m_c.depth()),
                          task.zeros},
                         rows + at * m_c.depth(), task.filter, task.out + at * m_c.filters);
        });
        if (task.ranges != nullptr)
            includeRows({task.out, std::size_t(m_c.outPixels() * m_c.filters)}, *task.ranges);
        return Done{};
    }

private:
    Convolution m_c;
};

bool hasInstructions()
{
#if defined(LAPIDARY_NEEDS_SSE41)
    return __builtin_cpu_supports("sse4.1");
#else
    return true;
#endif
}

} // namespace

const BackEnd gemmlowpBackEnd{
    .name = "gemmlowp",
    .summary = "gemmlowp's product, as TensorFlow 1.15 has it; on x86 it needs SSE4.1",
    .isAvailable = hasInstructions,
    .prepare = [](const Convolution& shape) -> std::unique_ptr<Prepared> {
        return std::make_unique<Gemmlowp>(shape);
    },
    .verdict = &verdictOf<gemmlowpBackEnd>,
};

} // namespace lapidary::int8
