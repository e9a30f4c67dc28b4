// NextAfter: the next number after x on the way to y.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, TypeList<float, double>(),
                     [](auto x, auto y) { return std::nextafter(x, y); });
}

} // namespace

const Kernel kernels::nextAfter{.op = "NextAfter", .run = run};

} // namespace lapidary
