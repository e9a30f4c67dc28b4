// ControlTrigger: does nothing, but even when its control inputs are dead.
#include "runner/kernels/control/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext&)
{
    return Done{};
}

} // namespace

const Kernel kernels::controlTrigger{.op = "ControlTrigger", .run = run};

} // namespace lapidary
