// PreventGradient: y = x; matters to gradients only.
#include "runner/kernels/basic/kernels.h"

namespace lapidary {

const Kernel kernels::preventGradient{.op = "PreventGradient", .run = passThrough};

} // namespace lapidary
