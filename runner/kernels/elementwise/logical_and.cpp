// LogicalAnd: x && y.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, TypeList<bool>(), [](auto x, auto y) { return x && y; });
}

} // namespace

const Kernel kernels::logicalAnd{.op = "LogicalAnd", .run = run};

} // namespace lapidary
