// AddV2: z = x + y with broadcasting; integers wrap.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/fast_binary.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/wrapping.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloatBinary(context, FloatBinary::Add);
    return runBinary(context, Numbers(), [](auto x, auto y) { return wrapping::add(x, y); });
}

} // namespace

const Kernel kernels::addV2{.op = "AddV2", .run = run};

} // namespace lapidary
