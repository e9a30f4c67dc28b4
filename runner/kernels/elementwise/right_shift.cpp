// RightShift: x >> y, arithmetic for signed types; the amount is clamped to 0 and the width - 1.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/shift.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, Integers(), [](auto x, auto y) { return shift::right(x, y); });
}

} // namespace

const Kernel kernels::rightShift{.op = "RightShift", .run = run};

} // namespace lapidary
