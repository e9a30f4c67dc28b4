// While, StatelessWhile, _While: v = body(v) as long as cond(v) holds.
#include "runner/kernels/functional/kernels.h"
#include "runner/kernels/functional/proceeds.h"

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
        const auto goesOn = isTrue(context, progress.results.front());
        if (!goesOn)
            return goesOn.error();
        if (!goesOn.value()) {
            if (const Status status = giveResults(context, progress.carried); !status)
                return status.error();
            return std::optional<FunctionCall>();
        }
        return std::optional(
            FunctionCall{.attr = "body", .arguments = std::move(progress.carried)});
    }
    return std::optional(FunctionCall{.attr = "cond", .arguments = progress.carried});
}

const Kernel kernels::whileOp{.op = "While", .run = cannotRunAlone};
const Kernel kernels::statelessWhile{.op = "StatelessWhile", .run = cannotRunAlone};
const Kernel kernels::loweredWhile{.op = "_While", .run = cannotRunAlone};

} // namespace lapidary
