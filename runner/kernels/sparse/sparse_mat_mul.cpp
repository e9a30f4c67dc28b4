// SPDX-License-Identifier: Apache-2.0
// SparseMatMul: the product of two dense matrices, of which one may have many zeros; in float.
#include "runner/kernels/kernel.h"
#include "runner/kernels/linear/matrix_product.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<Value> asFloat(KernelContext& context, const Value& x)
{
    if (x.dtype() == DType::Float)
        return x;
    ASSIGN_OR_RETURN(auto wide, context.allocate(DType::Float, x.dims()));
    std::ranges::copy(x.as<BFloat16>(), wide.mutableAs<float>().begin());
    return wide;
}

Status runSparseMatMul(KernelContext& context)
{
    for (std::size_t i = 0; i < 2; ++i)
        if (const DType dtype = context.input(i).dtype();
            dtype != DType::Float && dtype != DType::BFloat16)
            return context.error("has no kernel for " + dtypeName(dtype));
    ASSIGN_OR_RETURN(const auto product, matrixProductOf(context, context.boolAttr("transpose_a"),
                                                         context.boolAttr("transpose_b")));
    ASSIGN_OR_RETURN(const auto a, asFloat(context, context.input(0)));
    ASSIGN_OR_RETURN(const auto b, asFloat(context, context.input(1)));
    ASSIGN_OR_RETURN(auto c, context.makeOutput(0, DType::Float, {product.rows, product.columns}));
    return multiplyMatrices(context, product, {a}, {b}, {c});
}

} // namespace

LAPIDARY_KERNEL(SparseMatMul, runSparseMatMul);

} // namespace lapidary
