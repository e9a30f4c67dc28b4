// StopGradient: y = x; matters to gradients only.
#include "runner/kernels/basic/kernels.h"

namespace lapidary {

const Kernel kernels::stopGradient{.op = "StopGradient", .run = passThrough};

} // namespace lapidary
