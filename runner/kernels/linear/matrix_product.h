// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cstdint>

namespace lapidary {

// c[rows, columns] = op(a) op(b), row-major. Adjoint: transposed, and conjugated where `conjugate`.
struct MatrixProduct {
    bool transposeA = false;
    bool transposeB = false;
    bool conjugate = false; // what is transposed
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t depth = 0;
};

// Describes the product of inputs 0 and 1. An error says that they are not matrices that fit.
Result<MatrixProduct> matrixProductOf(const KernelContext& context, bool transposeA,
                                      bool transposeB);

// A matrix within a tensor, from an element on.
template <class Tensor>
struct MatrixAt {
    Tensor& tensor;
    std::int64_t first = 0;
};

// One product of matrices of one dtype. Integers wrap; half and bfloat16 are summed in float and
// rounded once; an empty sum is 0.
Status multiplyMatrices(KernelContext& context, const MatrixProduct& product,
                        MatrixAt<const Value> a, MatrixAt<const Value> b, MatrixAt<Value> c);

} // namespace lapidary
