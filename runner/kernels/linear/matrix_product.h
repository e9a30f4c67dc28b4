// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cstdint>

namespace lapidary {

// c[rows, columns] = op(a) op(b), row-major; op transposes the matrix, conjugates it, or neither.
struct MatrixProduct {
    bool transposeA = false;
    bool transposeB = false;
    bool conjugate = false; // transposed matrices are conjugated, too
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t depth = 0;
};

// Returns the product of inputs 0 and 1. Fails if they are not matrices whose sizes fit.
Result<MatrixProduct> matrixProductOf(const KernelContext& context, bool transposeA,
                                      bool transposeB);

// A matrix in a tensor, which begins at element `first`.
template <class Tensor>
struct MatrixAt {
    Tensor& tensor;
    std::int64_t first = 0;
};

// Multiplies two matrices of one dtype. Integers wrap; half and bfloat16 are summed in float and
// rounded once; an empty sum is 0.
Status multiplyMatrices(KernelContext& context, const MatrixProduct& product,
                        MatrixAt<const Value> a, MatrixAt<const Value> b, MatrixAt<Value> c);

} // namespace lapidary
