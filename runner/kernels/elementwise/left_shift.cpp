// LeftShift: x << y; the amount is clamped to 0 and the width - 1.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/shift.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, Integers(), [](auto x, auto y) { return shift::left(x, y); });
}

} // namespace

const Kernel kernels::leftShift{.op = "LeftShift", .run = run};

} // namespace lapidary
