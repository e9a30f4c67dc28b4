// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <cstdint>

namespace lapidary::onednn {

// c[rows, columns] = op(a) op(b), row-major and dense; `transposeA`: a is [depth, rows],
// `transposeB`: b is [columns, depth]. Sizes are at least 1.
struct Gemm {
    bool transposeA = false;
    bool transposeB = false;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t depth = 1;
};
Status multiply(const Gemm& gemm, const float* a, const float* b, float* c);

// c = (a - aZero) (b - bZero) of codes, neither transposed. Exact only where
// Instructions::vnni holds.
struct CodeGemm {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t depth = 1;
    std::uint8_t aZero = 0;
    std::int8_t bZero = 0;
};
Status multiply(const CodeGemm& gemm, const std::uint8_t* a, const std::int8_t* b, std::int32_t* c);

} // namespace lapidary::onednn
