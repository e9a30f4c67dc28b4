// MatMul: the product of two matrices, each transposed on demand (spec: kernels, A5).
#include "runner/kernels/linear/kernels.h"
#include "runner/kernels/linear/matrix_product.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto product =
        matrixProductOf(context, context.boolAttr("transpose_a"), context.boolAttr("transpose_b"));
    if (!product)
        return product.error();
    const Value& a = context.input(0);
    auto c = context.makeOutput(0, a.dtype(), {product.value().rows, product.value().columns});
    if (!c)
        return c.error();
    return multiplyMatrices(context, product.value(), a, 0, context.input(1), 0, c.value(), 0);
}

} // namespace

const Kernel kernels::matMul{.op = "MatMul", .run = run};

} // namespace lapidary
