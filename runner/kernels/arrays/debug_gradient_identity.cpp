// DebugGradientIdentity, DebugGradientRefIdentity: y = x; matter to gradients only.
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/basic/kernels.h"

namespace lapidary {

const Kernel kernels::debugGradientIdentity{.op = "DebugGradientIdentity", .run = passThrough};
const Kernel kernels::debugGradientRefIdentity{.op = "DebugGradientRefIdentity",
                                               .run = passThrough};

} // namespace lapidary
