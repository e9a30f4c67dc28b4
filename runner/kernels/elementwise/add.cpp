// SPDX-License-Identifier: Apache-2.0
// Sums and differences of two tensors.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/fast_binary.h"
#include "runner/kernels/elementwise/string_binary.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// AddV2: z = x + y with broadcasting; integers wrap.
Status runAddV2(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloatBinary(context, FloatBinary::Add);
    return runBinary(context, Numbers(), [](auto x, auto y) { return wrapping::add(x, y); });
}

// Add: like AddV2; strings are joined.
Status runAdd(KernelContext& context)
{
    return context.input(0).dtype() == DType::String ? joinStrings(context) : runAddV2(context);
}

// Sub: z = x - y with broadcasting; integers wrap.
Status runSub(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloatBinary(context, FloatBinary::Subtract);
    return runBinary(context, Numbers(), [](auto x, auto y) { return wrapping::sub(x, y); });
}

} // namespace

LAPIDARY_KERNEL(Add, runAdd);
LAPIDARY_KERNEL(AddV2, runAddV2);
LAPIDARY_KERNEL(Sub, runSub);

} // namespace lapidary
