// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/elementwise/broadcast.h"

#include "runner/kernels/elementwise/wrapping.h"

#include <algorithm>

namespace lapidary {

std::optional<Broadcast> Broadcast::of(const Dims& x, const Dims& y)
{
    const std::size_t rank = std::max(x.size(), y.size());
    const auto size = [rank](const Dims& dims, std::size_t axis) {
        const std::size_t missing = rank - dims.size();
        return axis < missing ? std::int64_t(1) : dims[axis - missing];
    };
    Broadcast result;
    result.output.reserve(rank);
    result.axes.reserve(std::max<std::size_t>(rank, 1));
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::int64_t a = size(x, axis);
        const std::int64_t b = size(y, axis);
        if (a != b && a != 1 && b != 1)
            return std::nullopt;
        result.output.push_back(a == 1 ? b : a);
    }
    std::int64_t xStep = 1;
    std::int64_t yStep = 1;
    for (std::size_t axis = rank; axis-- > 0;) {
        const std::int64_t a = size(x, axis);
        const std::int64_t b = size(y, axis);
        const Axis next{result.output[axis], a == 1 ? 0 : xStep, b == 1 ? 0 : yStep};
        xStep = wrapping::mul(xStep, a); // if another size is 0, it may be too large for int64
        yStep = wrapping::mul(yStep, b);
        if (next.size == 1)
            continue;
        const bool fits = !result.axes.empty() &&
                          (next.xStep == 0) == (result.axes.back().xStep == 0) &&
                          (next.yStep == 0) == (result.axes.back().yStep == 0);
        if (fits)
            result.axes.back().size = wrapping::mul(result.axes.back().size, next.size);
        else
            result.axes.push_back(next);
    }
    if (result.axes.empty())
        result.axes.push_back({});
    std::ranges::reverse(result.axes);
    return result;
}

Status runBinaryRow(KernelContext& context, std::span<const BinaryRun> runs, const void* op,
                    Operands operands)
{
    const Value& x = context.input(operands.x);
    const Value& y = context.input(operands.y);
    const auto broadcast = Broadcast::of(x.dims(), y.dims());
    if (!broadcast)
        return context.error("incompatible shapes: " + dimsText(context.input(0).dims()) + " and " +
                             dimsText(context.input(1).dims()));
    const auto run = std::ranges::find(runs, x.dtype(), &BinaryRun::input);
    if (run == runs.end() || y.dtype() != x.dtype())
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, run->output, broadcast->output));
    if (made.elements() == 0)
        return Done{};
    const auto* const a = x.as<std::byte>().data();
    const auto* const b = y.as<std::byte>().data();
    auto* const z = made.mutableAs<std::byte>().data();
    eachRun(*broadcast, [&](std::int64_t xAt, std::int64_t yAt, std::int64_t zAt,
                            const Broadcast::Axis& axis) {
        run->apply(op, a + std::size_t(xAt) * run->inputSize, b + std::size_t(yAt) * run->inputSize,
                   z + std::size_t(zAt) * run->outputSize, axis);
    });
    return Done{};
}

} // namespace lapidary
