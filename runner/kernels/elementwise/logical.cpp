// SPDX-License-Identifier: Apache-2.0
// Logical operations.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// LogicalAnd: x && y.
Status runLogicalAnd(KernelContext& context)
{
    return runBinary(context, TypeList<bool>(), [](auto x, auto y) { return x && y; });
}

// LogicalNot: y = not x.
Status runLogicalNot(KernelContext& context)
{
    return runUnary(context, TypeList<bool>(), []([[maybe_unused]] auto x) { return !x; });
}

// LogicalOr: x || y.
Status runLogicalOr(KernelContext& context)
{
    return runBinary(context, TypeList<bool>(), [](auto x, auto y) { return x || y; });
}

} // namespace

LAPIDARY_KERNEL(LogicalAnd, runLogicalAnd);
LAPIDARY_KERNEL(LogicalNot, runLogicalNot);
LAPIDARY_KERNEL(LogicalOr, runLogicalOr);

} // namespace lapidary
