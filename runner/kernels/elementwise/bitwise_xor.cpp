// BitwiseXor: x ^ y, bit by bit.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, Integers(), [](auto x, auto y) { return decltype(x)(x ^ y); });
}

} // namespace

const Kernel kernels::bitwiseXor{.op = "BitwiseXor", .run = run};

} // namespace lapidary
