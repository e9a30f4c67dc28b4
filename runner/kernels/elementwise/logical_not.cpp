// LogicalNot: y = not x.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, TypeList<bool>(), []([[maybe_unused]] auto x) { return !x; });
}

} // namespace

const Kernel kernels::logicalNot{.op = "LogicalNot", .run = run};

} // namespace lapidary
