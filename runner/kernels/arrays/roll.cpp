// SPDX-License-Identifier: Apache-2.0
// Roll: moves elements along axes; those that leave at one end come back at the other. Shifts and
// axes are scalars or vectors.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/pieces.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<std::vector<std::int64_t>> listInput(const KernelContext& context, std::size_t input,
                                            const char* name)
{
    const Value& value = context.input(input);
    if (value.rank() > 1)
        return context.error(std::string(name) +
                             " must be a scalar or a vector, but its shape is " +
                             dimsText(value.dims()));
    return value.integers();
}

// Returns the shift of each axis; several shifts of one axis add up.
Result<Dims> shiftsOf(const KernelContext& context)
{
    const Value& input = context.input(0);
    const auto shifts = listInput(context, 1, "shift");
    const auto axes = listInput(context, 2, "axis");
    if (!shifts || !axes)
        return shifts ? axes.error() : shifts.error();
    if (shifts.value().size() != axes.value().size())
        return context.error("shift and axis must have the same size");
    Dims total(input.dims().size());
    for (std::size_t i = 0; i < axes.value().size(); ++i) {
        ASSIGN_OR_RETURN(const auto axis, resolveAxis(context, axes.value()[i], input.rank()));
        const std::int64_t size = std::max<std::int64_t>(1, input.dim(axis));
        std::int64_t& shift = total[std::size_t(axis)];
        const std::int64_t step = shifts.value()[i] % size;
        shift = (shift + (step < 0 ? step + size : step)) % size;
    }
    return total;
}

Status runRoll(KernelContext& context)
{
    const Value& input = context.input(0);
    if (input.isScalar())
        return context.error("the input must have at least one axis");
    ASSIGN_OR_RETURN(const auto shifts, shiftsOf(context));
    auto output = context.makeOutput(0, input.dtype(), input.dims());
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    std::vector<std::vector<AxisPiece>> pieces(input.dims().size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::int64_t size = input.dims()[i];
        const std::int64_t shift = shifts[i];
        pieces[i].push_back({.from = 0, .to = shift, .size = size - shift});
        if (shift > 0)
            pieces[i].push_back({.from = size - shift, .to = 0, .size = shift});
    }
    return copyPieces(context, input, output.value(), pieces);
}

} // namespace

LAPIDARY_KERNEL(Roll, runRoll);

} // namespace lapidary
