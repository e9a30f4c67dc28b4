// SPDX-License-Identifier: Apache-2.0
// While, StatelessWhile, _While: v = body(v) as long as cond(v) holds.
#include "runner/kernels/functional/proceeds.h"
#include "runner/kernels/kernel.h"

namespace lapidary {

// Calls alternate: cond, body, cond, body...
Result<std::optional<FunctionCall>> proceeds::whileOp(KernelContext& context,
                                                      CallProgress& progress)
{
    if (progress.calls == 0) {
        progress.carried = inputsFrom(context, 0);
    } else if (progress.calls % 2 == 0) {
        if (progress.results.size() != context.inputCount())
            return context.error("the loop's body gives " +
                                 std::to_string(progress.results.size()) +
                                 " results, but the loop has " +
                                 std::to_string(context.inputCount()) + " variables");
        progress.carried = std::move(progress.results);
    } else {
        if (progress.results.size() != 1)
            return context.error("the loop's condition must give one result, but it gives " +
                                 std::to_string(progress.results.size()));
        ASSIGN_OR_RETURN(const auto goesOn, isTrue(context, progress.results.front()));
        if (!goesOn) {
            RETURN_IF_ERROR(giveResults(context, progress.carried));
            return std::optional<FunctionCall>();
        }
        return std::optional(
            FunctionCall{.attr = "body", .arguments = std::move(progress.carried)});
    }
    return std::optional(FunctionCall{.attr = "cond", .arguments = progress.carried});
}

LAPIDARY_KERNEL(While, cannotRunAlone);
LAPIDARY_KERNEL(StatelessWhile, cannotRunAlone);
LAPIDARY_KERNEL(_While, cannotRunAlone);

} // namespace lapidary
