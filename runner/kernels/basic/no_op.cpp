// SPDX-License-Identifier: Apache-2.0
// Nodes that only order others by their control edges. ControlTrigger runs even if its control
// inputs are dead. DisableCopyOnRead only matters to TensorFlow 2 before it saves a variable.
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
LAPIDARY_KERNEL(DisableCopyOnRead, runNothing);

} // namespace lapidary
