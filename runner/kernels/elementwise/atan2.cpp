// Atan2: the angle of the point (y, x).
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, RealFloats(), [](auto x, auto y) { return std::atan2(x, y); });
}

} // namespace

const Kernel kernels::atan2{.op = "Atan2", .run = run};

} // namespace lapidary
