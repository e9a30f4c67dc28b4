// SPDX-License-Identifier: Apache-2.0
#include "runner/onednn/gemm.h"

#include "runner/onednn/few_threads.h"

#include <string>

#include <dnnl.h>

namespace lapidary::onednn {

Status multiply(const Gemm& gemm, const float* a, const float* b, float* c)
{
    const std::int64_t lda = gemm.transposeA ? gemm.rows : gemm.depth;
    const std::int64_t ldb = gemm.transposeB ? gemm.depth : gemm.columns;
    const dnnl_status_t status =
        dnnl_sgemm(gemm.transposeA ? 'T' : 'N', gemm.transposeB ? 'T' : 'N', gemm.rows,
                   gemm.columns, gemm.depth, 1.0F, a, lda, b, ldb, 0.0F, c, gemm.columns);
    if (status != dnnl_success)
        return Error{ErrorCode::Internal,
                     "oneDNN: the product failed (" + std::to_string(int(status)) + ")"};
    return Done{};
}

Status multiply(const CodeGemm& gemm, const std::uint8_t* a, const std::int8_t* b, std::int32_t* c)
{
    const FewThreads few(2.0 * double(gemm.rows) * double(gemm.columns) * double(gemm.depth));
    const std::int32_t none = 0;
    const dnnl_status_t status =
        dnnl_gemm_u8s8s32('N', 'N', 'F', gemm.rows, gemm.columns, gemm.depth, 1.0F, a, gemm.depth,
                          gemm.aZero, b, gemm.columns, gemm.bZero, 0.0F, c, gemm.columns, &none);
    if (status != dnnl_success)
        return Error{ErrorCode::Internal,
                     "oneDNN: the product failed (" + std::to_string(int(status)) + ")"};
    return Done{};
}

} // namespace lapidary::onednn
