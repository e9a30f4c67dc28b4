// SPDX-License-Identifier: Apache-2.0
// BatchMatMul, BatchMatMulV2: products of the matrices in the last two axes, or of their adjoints
// (spec: kernels, A5). V1 requires equal batch axes, V2 broadcasts them.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/linear/matrix_product.h"

namespace lapidary {
namespace {

Dims batchDims(const Value& value)
{
    return {value.dims().begin(), value.dims().end() - 2};
}

Result<MatrixProduct> productOf(const KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    for (const Value* value : {&x, &y})
        if (value->rank() < 2)
            return context.error("each input must have at least 2 dimensions, but one is " +
                                 dimsText(value->dims()));
    MatrixProduct product{.transposeA = context.boolAttr("adj_x"),
                          .transposeB = context.boolAttr("adj_y"),
                          .conjugate = true};
    const int m = x.rank() - 2;
    const int n = y.rank() - 2;
    product.rows = x.dim(product.transposeA ? m + 1 : m);
    product.depth = x.dim(product.transposeA ? m : m + 1);
    product.columns = y.dim(product.transposeB ? n : n + 1);
    if (product.depth != y.dim(product.transposeB ? n + 1 : n))
        return context.error("the matrices' sizes do not fit: " + dimsText(x.dims()) + " and " +
                             dimsText(y.dims()));
    return product;
}

Status multiply(KernelContext& context, const Broadcast& batches)
{
    ASSIGN_OR_RETURN(const auto product, productOf(context));
    const MatrixProduct& p = product;
    Dims dims = batches.output;
    dims.push_back(p.rows);
    dims.push_back(p.columns);
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    auto z = context.makeOutput(0, x.dtype(), dims);
    if (!z || z.value().elements() == 0)
        return z ? Status(Done{}) : z.error();
    Status status = Done{};
    eachRun(batches, [&](std::int64_t xAt, std::int64_t yAt, std::int64_t zAt,
                         const Broadcast::Axis& axis) {
        for (std::int64_t i = 0; i < axis.size && status && !context.job().cancelled(); ++i)
            status = multiplyMatrices(context, p, {x, (xAt + i * axis.xStep) * p.rows * p.depth},
                                      {y, (yAt + i * axis.yStep) * p.depth * p.columns},
                                      {*z, (zAt + i) * p.rows * p.columns});
    });
    return status;
}

Status runV2(KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    if (x.rank() < 2 || y.rank() < 2)
        return context.error("each input must have at least 2 dimensions, but they are " +
                             dimsText(x.dims()) + " and " + dimsText(y.dims()));
    const auto batches = Broadcast::of(batchDims(x), batchDims(y));
    if (!batches)
        return context.error("the batch dimensions do not fit: " + dimsText(x.dims()) + " and " +
                             dimsText(y.dims()));
    return multiply(context, *batches);
}

Status runBatchMatMul(KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    if (x.rank() != y.rank() || (x.rank() >= 2 && batchDims(x) != batchDims(y)))
        return context.error("the batch dimensions must be equal: " + dimsText(x.dims()) + " and " +
                             dimsText(y.dims()));
    return runV2(context);
}

} // namespace

LAPIDARY_KERNEL(BatchMatMul, runBatchMatMul);
LAPIDARY_KERNEL(BatchMatMulV2, runV2);

} // namespace lapidary
