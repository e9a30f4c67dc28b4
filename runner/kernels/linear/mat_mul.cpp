// MatMul: the product of two matrices, each transposed on demand (spec: kernels, A5).
#include "runner/kernels/linear/kernels.h"
#include "runner/kernels/linear/matrix_product.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& a = context.input(0);
    const Value& b = context.input(1);
    for (std::size_t i = 0; i < 2; ++i)
        if (context.input(i).rank() != 2)
            return context.error("input " + std::to_string(i) + " must be a matrix, but is " +
                                 dimsText(context.input(i).dims()));
    MatrixProduct product{.transposeA = context.boolAttr("transpose_a"),
                          .transposeB = context.boolAttr("transpose_b")};
    product.rows = a.dim(product.transposeA ? 1 : 0);
    product.depth = a.dim(product.transposeA ? 0 : 1);
    product.columns = b.dim(product.transposeB ? 0 : 1);
    if (product.depth != b.dim(product.transposeB ? 1 : 0))
        return context.error("the matrices' sizes do not fit: " + dimsText(a.dims()) + " and " +
                             dimsText(b.dims()));
    auto c = context.makeOutput(0, a.dtype(), {product.rows, product.columns});
    if (!c)
        return c.error();
    return multiplyMatrices(context, product, a, 0, b, 0, c.value(), 0);
}

} // namespace

const Kernel kernels::matMul{.op = "MatMul", .run = run};

} // namespace lapidary
