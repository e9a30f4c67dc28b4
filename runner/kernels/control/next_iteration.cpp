// NextIteration: the value goes to the loop's next iteration.
#include "runner/kernels/basic/kernels.h"
#include "runner/kernels/control/kernels.h"

namespace lapidary {

const Kernel kernels::nextIteration{.op = "NextIteration", .run = passThrough};
const Kernel kernels::refNextIteration{.op = "RefNextIteration", .run = passThrough};

} // namespace lapidary
