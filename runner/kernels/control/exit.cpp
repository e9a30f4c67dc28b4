// Exit: the value leaves a loop's frame.
#include "runner/kernels/basic/kernels.h"
#include "runner/kernels/control/kernels.h"

namespace lapidary {

const Kernel kernels::exit{.op = "Exit", .run = passThrough};
const Kernel kernels::refExit{.op = "RefExit", .run = passThrough};

} // namespace lapidary
