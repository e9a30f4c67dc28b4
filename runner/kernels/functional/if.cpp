// If, StatelessIf, _If: one of two functions on the same inputs.
#include "runner/kernels/functional/kernels.h"
#include "runner/kernels/functional/proceeds.h"

namespace lapidary {

Result<std::optional<FunctionCall>> proceeds::ifOp(KernelContext& context, CallProgress& progress)
{
    if (progress.calls > 0) {
        if (const Status status = giveResults(context, progress.results); !status)
            return status.error();
        return std::optional<FunctionCall>();
    }
    const auto condition = isTrue(context, context.input(0));
    if (!condition)
        return condition.error();
    return std::optional(FunctionCall{.attr = condition.value() ? "then_branch" : "else_branch",
                                      .arguments = inputsFrom(context, 1)});
}

const Kernel kernels::ifOp{.op = "If", .run = cannotRunAlone};
const Kernel kernels::statelessIf{.op = "StatelessIf", .run = cannotRunAlone};
const Kernel kernels::loweredIf{.op = "_If", .run = cannotRunAlone};

} // namespace lapidary
