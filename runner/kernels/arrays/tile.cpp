// SPDX-License-Identifier: Apache-2.0
// Tile: the input repeated multiples[i] times along axis i.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

// Types that TensorFlow registers but does not repeat.
constexpr DType unsupported[] = {DType::UInt16, DType::UInt32, DType::UInt64,  DType::QInt8,
                                 DType::QUInt8, DType::QInt16, DType::QUInt16, DType::QInt32};

Status runTile(KernelContext& context)
{
    const Value& input = context.input(0);
    if (std::ranges::find(unsupported, input.dtype()) != std::end(unsupported))
        return context.error("cannot repeat elements of type " + dtypeName(input.dtype()));
    const auto multiples = integerVector(context, 1, "multiples");
    RETURN_IF_ERROR(multiples);
    Dims dims = input.dims();
    if (multiples->size() != dims.size())
        return context.error("multiples must have " + std::to_string(dims.size()) +
                             " entries, not " + std::to_string(multiples->size()));
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if ((*multiples)[i] < 0)
            return context.error("multiples[" + std::to_string(i) +
                                 "] must not be negative: " + std::to_string((*multiples)[i]));
        dims[i] = cappedProduct(dims[i], (*multiples)[i]);
    }
    if (dims == input.dims())
        return context.setOutput(0, input);
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, input.dtype(), dims));
    if (output.elements() == 0)
        return Done{};
    const Dims from = rowMajorStrides(input.dims());
    const Dims to = rowMajorStrides(dims);
    CopyPlan plan;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        plan.axes.push_back({(*multiples)[i], 0, to[i] * input.dims()[i]});
        plan.axes.push_back({input.dims()[i], from[i], to[i]});
    }
    return stridedCopy(context, input, output, std::move(plan));
}

} // namespace

LAPIDARY_KERNEL(Tile, runTile);

} // namespace lapidary
