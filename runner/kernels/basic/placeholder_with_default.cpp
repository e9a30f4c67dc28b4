// PlaceholderWithDefault: y = x unless it is fed.
#include "runner/kernels/basic/kernels.h"

namespace lapidary {

const Kernel kernels::placeholderWithDefault{.op = "PlaceholderWithDefault", .run = passThrough};

} // namespace lapidary
