// SPDX-License-Identifier: Apache-2.0
// Case, StatelessCase: calls the function at `branch_index`; an index out of range means the last
// one.
#include "runner/kernels/functional/proceeds.h"
#include "runner/kernels/kernel.h"

namespace lapidary {

Result<std::optional<FunctionCall>> proceeds::caseOp(KernelContext& context, CallProgress& progress)
{
    if (progress.calls > 0) {
        RETURN_IF_ERROR(giveResults(context, progress.results));
        return std::optional<FunctionCall>();
    }
    const Value& index = context.input(0);
    if (!index.isScalar())
        return context.error("branch_index must be a scalar, but its shape is " +
                             dimsText(index.dims()));
    const std::size_t count = context.attr("branches").functionNames().size();
    if (count == 0)
        return context.error("it has no branches");
    const std::int32_t chosen = index.as<std::int32_t>()[0];
    const bool inRange = chosen >= 0 && std::size_t(chosen) < count;
    return std::optional(FunctionCall{.attr = "branches",
                                      .index = inRange ? std::size_t(chosen) : count - 1,
                                      .arguments = inputsFrom(context, 1)});
}

LAPIDARY_KERNEL(Case, cannotRunAlone);
LAPIDARY_KERNEL(StatelessCase, cannotRunAlone);

} // namespace lapidary
