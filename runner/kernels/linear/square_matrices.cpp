// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/linear/lu.h"

namespace lapidary {

Result<SquareMatrices> SquareMatrices::of(const KernelContext& context, std::size_t i)
{
    const Dims& dims = context.input(i).dims();
    if (dims.size() < 2 || dims[dims.size() - 1] != dims[dims.size() - 2])
        return context.error("needs square matrices, but the shape is " + dimsText(dims));
    SquareMatrices matrices;
    matrices.size = dims.back();
    if (matrices.size == 0) { // the matrices have no elements
        matrices.batch = 1;
        for (std::size_t axis = 0; axis + 2 < dims.size(); ++axis)
            matrices.batch = dims[axis] == 0 ? 0 : matrices.batch;
        return matrices;
    }
    matrices.batch = context.input(i).elements() / matrices.size / matrices.size;
    return matrices;
}

} // namespace lapidary
