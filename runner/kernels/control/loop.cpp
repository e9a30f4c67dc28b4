// SPDX-License-Identifier: Apache-2.0
// Kernels of the nodes that enter, leave and advance loops. The executor moves the tokens; these
// kernels pass the value on.
#include "runner/kernels/basic/identity.h"
#include "runner/kernels/kernel.h"

namespace lapidary {

// Enter: the value enters a loop's frame.
LAPIDARY_KERNEL(Enter, passThrough);
LAPIDARY_KERNEL(RefEnter, passThrough);
// Exit: the value leaves a loop's frame.
LAPIDARY_KERNEL(Exit, passThrough);
LAPIDARY_KERNEL(RefExit, passThrough);
// NextIteration: the value goes to the loop's next iteration.
LAPIDARY_KERNEL(NextIteration, passThrough);
LAPIDARY_KERNEL(RefNextIteration, passThrough);
// LoopCond: the bool scalar that says whether the loop goes on.
LAPIDARY_KERNEL(LoopCond, passThrough);

} // namespace lapidary
