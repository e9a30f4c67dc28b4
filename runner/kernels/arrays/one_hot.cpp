// SPDX-License-Identifier: Apache-2.0
// OneHot: a new axis of size `depth` that holds on_value at the index and off_value elsewhere;
// an index outside gives off_value only.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

template <class Index>
Status setOn(const KernelContext& context, Value& output, std::int64_t depth, std::int64_t inner)
{
    const auto indices = context.input(0).as<Index>();
    dispatchBySize(output.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T on = *readElements<T>(context.input(2)).data();
        T* to = writeElements<T>(output).data();
        for (std::int64_t i = 0; i < std::int64_t(indices.size()); ++i) {
            const auto at = std::int64_t(indices[std::size_t(i)]);
            if (at >= 0 && at < depth)
                to[(i / inner * depth + at) * inner + i % inner] = on;
        }
    });
    return Done{};
}

Status runOneHot(KernelContext& context)
{
    const Value& indices = context.input(0);
    const auto depth = integerScalar(context, 1, "depth");
    RETURN_IF_ERROR(depth);
    if (*depth < 0)
        return context.error("depth must not be negative: " + std::to_string(*depth));
    if (!context.input(2).isScalar() || !context.input(3).isScalar())
        return context.error("on_value and off_value must be scalars");
    const std::int64_t given = context.intAttr("axis", -1);
    if (given < -1 || given > indices.rank())
        return context.error("axis must be in [-1, " + std::to_string(indices.rank()) + "], not " +
                             std::to_string(given));
    const std::int64_t axis = given < 0 ? indices.rank() : given;
    Dims dims = indices.dims();
    const std::int64_t inner = sizeOfAxes(dims, std::size_t(axis), dims.size());
    dims.insert(dims.begin() + axis, *depth);
    auto output = context.makeOutput(0, context.input(2).dtype(), std::move(dims));
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    RETURN_IF_ERROR(fillWith(context, output.value(), context.input(3)));
    switch (indices.dtype()) {
    case DType::UInt8: return setOn<std::uint8_t>(context, output.value(), *depth, inner);
    case DType::Int32: return setOn<std::int32_t>(context, output.value(), *depth, inner);
    default: return setOn<std::int64_t>(context, output.value(), *depth, inner);
    }
}

} // namespace

LAPIDARY_KERNEL(OneHot, runOneHot);

} // namespace lapidary
