// LoopCond: whether the loop goes on; the same bool scalar.
#include "runner/kernels/basic/kernels.h"
#include "runner/kernels/control/kernels.h"

namespace lapidary {

const Kernel kernels::loopCond{.op = "LoopCond", .run = passThrough};

} // namespace lapidary
