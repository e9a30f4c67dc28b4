// Enter: the value enters a loop's frame.
#include "runner/kernels/basic/kernels.h"
#include "runner/kernels/control/kernels.h"

namespace lapidary {

const Kernel kernels::enter{.op = "Enter", .run = passThrough};
const Kernel kernels::refEnter{.op = "RefEnter", .run = passThrough};

} // namespace lapidary
