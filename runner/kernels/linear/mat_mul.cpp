// SPDX-License-Identifier: Apache-2.0
// MatMul: the product of two matrices, each of which may be transposed (spec: kernels, A5).
#include "runner/kernels/kernel.h"
#include "runner/kernels/linear/matrix_product.h"

namespace lapidary {
namespace {

Status runMatMul(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto product, matrixProductOf(context, context.boolAttr("transpose_a"),
                                                         context.boolAttr("transpose_b")));
    const Value& a = context.input(0);
    ASSIGN_OR_RETURN(auto c, context.makeOutput(0, a.dtype(), {product.rows, product.columns}));
    return multiplyMatrices(context, product, {a}, {context.input(1)}, {c});
}

} // namespace

LAPIDARY_KERNEL(MatMul, runMatMul);

} // namespace lapidary
