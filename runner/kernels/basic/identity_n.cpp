// IdentityN: output i = input i.
#include "runner/kernels/basic/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        if (const Status status = context.setOutput(i, context.input(i)); !status)
            return status;
    return Done{};
}

} // namespace

const Kernel kernels::identityN{.op = "IdentityN", .run = run};

} // namespace lapidary
