// Identity: y = x, the same bytes.
#include "runner/kernels/basic/kernels.h"

namespace lapidary {

Status kernels::passThrough(KernelContext& context)
{
    return context.setOutput(0, context.input(0));
}

const Kernel kernels::identity{.op = "Identity", .run = passThrough};

} // namespace lapidary
