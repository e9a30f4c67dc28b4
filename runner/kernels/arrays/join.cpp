// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/arrays/join.h"

#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Status checkAlike(const KernelContext& context, const Dims& a, const Dims& b, std::size_t axis)
{
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i)
        same = i == axis || a[i] == b[i];
    if (same)
        return Done{};
    return context.error("inputs of shape " + dimsText(a) + " and " + dimsText(b) +
                         " cannot be joined along axis " + std::to_string(axis));
}

} // namespace

Status joinInputs(KernelContext& context, std::size_t first, std::size_t count, std::int64_t axis)
{
    Dims dims = context.input(first).dims();
    for (std::size_t i = first; i < first + count; ++i)
        if (context.input(i).isScalar())
            return context.error("cannot join scalars (input " + std::to_string(i) + ")");
    ASSIGN_OR_RETURN(const auto resolved, resolveAxis(context, axis, int(dims.size())));
    const auto at = std::size_t(resolved);
    dims[at] = 0;
    for (std::size_t i = first; i < first + count; ++i) {
        const Dims& other = context.input(i).dims();
        RETURN_IF_ERROR(checkAlike(context, context.input(first).dims(), other, at));
        dims[at] = cappedSum(dims[at], other[at]);
    }
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, context.input(first).dtype(), dims));
    if (output.elements() == 0)
        return Done{};
    const std::int64_t inner = sizeOfAxes(dims, at + 1, dims.size());
    const std::int64_t outer = sizeOfAxes(dims, 0, at);
    CopyPlan plan{.axes = {{outer, 0, inner * dims[at]}, {0, 1, 1}}};
    for (std::size_t i = first; i < first + count; ++i) {
        const Value& input = context.input(i);
        plan.axes[0].from = plan.axes[1].size = input.dim(resolved) * inner;
        RETURN_IF_ERROR(stridedCopy(context, input, output, plan));
        plan.toOffset += plan.axes[1].size;
    }
    return Done{};
}

} // namespace lapidary
