// Invert: every bit turned.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, Integers(), []([[maybe_unused]] auto x) { return decltype(x)(~x); });
}

} // namespace

const Kernel kernels::invert{.op = "Invert", .run = run};

} // namespace lapidary
