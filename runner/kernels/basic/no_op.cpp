// SPDX-License-Identifier: Apache-2.0
// Nodes that only order others by their control edges. ControlTrigger runs even when its control
// inputs are dead. DisableCopyOnRead tells TensorFlow 2 how to keep a variable before it is saved.
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
