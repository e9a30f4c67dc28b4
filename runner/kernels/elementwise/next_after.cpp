// SPDX-License-Identifier: Apache-2.0
// NextAfter: the next number after x on the way to y.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {
namespace {

Status runNextAfter(KernelContext& context)
{
    return runBinary(context, TypeList<float, double>(),
                     [](auto x, auto y) { return std::nextafter(x, y); });
}

} // namespace

LAPIDARY_KERNEL(NextAfter, runNextAfter);

} // namespace lapidary
