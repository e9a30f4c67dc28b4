// SPDX-License-Identifier: Apache-2.0
// If, StatelessIf, _If: calls one of two functions with the same inputs.
#include "runner/kernels/functional/proceeds.h"
#include "runner/kernels/kernel.h"

namespace lapidary {

Result<std::optional<FunctionCall>> proceeds::ifOp(KernelContext& context, CallProgress& progress)
{
    if (progress.calls > 0) {
        RETURN_IF_ERROR(giveResults(context, progress.results));
        return std::optional<FunctionCall>();
    }
    ASSIGN_OR_RETURN(const auto condition, isTrue(context, context.input(0)));
    return std::optional(FunctionCall{.attr = condition ? "then_branch" : "else_branch",
                                      .arguments = inputsFrom(context, 1)});
}

LAPIDARY_KERNEL(If, cannotRunAlone);
LAPIDARY_KERNEL(StatelessIf, cannotRunAlone);
LAPIDARY_KERNEL(_If, cannotRunAlone);

} // namespace lapidary
