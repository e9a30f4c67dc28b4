// SPDX-License-Identifier: Apache-2.0
#include "runner/onednn/gemm.h"

#include "runner/guard/run_guard.h"
#include "runner/onednn/few_threads.h"

#include <algorithm>
#include <string>

#include <dnnl.h>

namespace lapidary::onednn {
namespace {

// Returns the number of rows to multiply at once: a product that takes seconds is split, so that it
// can be stopped in between.
std::int64_t rowsAtOnce(std::int64_t rows, double workOfRow)
{
    constexpr double workOfPart = 2e9;
    constexpr double fewest = 64;
    return rows * workOfRow <= 2 * workOfPart
               ? rows
               : std::int64_t(std::max(fewest, workOfPart / workOfRow));
}

Error failed(dnnl_status_t status)
{
    return {ErrorCode::Internal,
            "oneDNN: the product failed (" + std::to_string(int(status)) + ")"};
}

} // namespace

Status multiply(const Gemm& gemm, const float* a, const float* b, float* c)
{
    const std::int64_t lda = gemm.transposeA ? gemm.rows : gemm.depth;
    const std::int64_t ldb = gemm.transposeB ? gemm.depth : gemm.columns;
    const std::int64_t atOnce = rowsAtOnce(gemm.rows, double(gemm.columns) * double(gemm.depth));
    for (std::int64_t row = 0; row < gemm.rows; row += atOnce) {
        if (row > 0)
            stopIfAsked();
        const dnnl_status_t status =
            dnnl_sgemm(gemm.transposeA ? 'T' : 'N', gemm.transposeB ? 'T' : 'N',
                       std::min(atOnce, gemm.rows - row), gemm.columns, gemm.depth, 1.0F,
                       a + row * (gemm.transposeA ? 1 : lda), lda, b, ldb, 0.0F,
                       c + row * gemm.columns, gemm.columns);
        if (status != dnnl_success)
            return failed(status);
    }
    return Done{};
}

Status multiply(const CodeGemm& gemm, const std::uint8_t* a, const std::int8_t* b, std::int32_t* c)
{
    const FewThreads few(2.0 * double(gemm.rows) * double(gemm.columns) * double(gemm.depth));
    const std::int32_t none = 0;
    const std::int64_t atOnce = rowsAtOnce(gemm.rows, double(gemm.columns) * double(gemm.depth));
    for (std::int64_t row = 0; row < gemm.rows; row += atOnce) {
        if (row > 0)
            stopIfAsked();
        const dnnl_status_t status = dnnl_gemm_u8s8s32(
            'N', 'N', 'F', std::min(atOnce, gemm.rows - row), gemm.columns, gemm.depth, 1.0F,
            a + row * gemm.depth, gemm.depth, gemm.aZero, b, gemm.columns, gemm.bZero, 0.0F,
            c + row * gemm.columns, gemm.columns, &none);
        if (status != dnnl_success)
            return failed(status);
    }
    return Done{};
}

} // namespace lapidary::onednn
