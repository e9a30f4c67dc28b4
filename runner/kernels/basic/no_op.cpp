// SPDX-License-Identifier: Apache-2.0
// Nodes that only order others by their control edges. ControlTrigger runs even when its control
// inputs are dead.
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runNothing(KernelContext&)
{
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(NoOp, runNothing);
LAPIDARY_KERNEL(ControlTrigger, runNothing);

} // namespace lapidary
