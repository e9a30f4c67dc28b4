// SPDX-License-Identifier: Apache-2.0
// The shape of a tensor, and numbers that follow from it.
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Shape: the sizes of a tensor as a vector. ShapeN: those of several tensors.
Status runShape(KernelContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Dims& dims = context.input(i).dims();
        const Status status = setIntegers(context, i, context.typeAttr("out_type", DType::Int32),
                                          {std::int64_t(dims.size())}, dims);
        if (!status)
            return status;
    }
    return Done{};
}

// Size: the number of elements of a tensor.
Status runSize(KernelContext& context)
{
    const std::int64_t elements = context.input(0).elements();
    return setIntegers(context, 0, context.typeAttr("out_type", DType::Int32), {}, {&elements, 1});
}

// Rank: the number of axes of a tensor.
Status runRank(KernelContext& context)
{
    const std::int64_t rank = context.input(0).rank();
    return setIntegers(context, 0, DType::Int32, {}, {&rank, 1});
}

} // namespace

LAPIDARY_KERNEL(Shape, runShape);
LAPIDARY_KERNEL(ShapeN, runShape);
LAPIDARY_KERNEL(Size, runSize);
LAPIDARY_KERNEL(Rank, runRank);

} // namespace lapidary
