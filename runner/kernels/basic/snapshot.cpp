// Snapshot: y = x.
#include "runner/kernels/basic/kernels.h"

namespace lapidary {

const Kernel kernels::snapshot{.op = "Snapshot", .run = passThrough};

} // namespace lapidary
