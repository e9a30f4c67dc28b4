// SPDX-License-Identifier: Apache-2.0
// AddN and AccumulateNV2: the sum of all inputs, which must have one shape; integers wrap.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

Status sumInputs(KernelContext& context)
{
    if (context.inputCount() == 0)
        return context.error("has no inputs to add");
    const Dims dims = context.input(0).dims();
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        if (context.input(i).dims() != dims)
            return context.error("inputs must have one shape, but input 0 has " + dimsText(dims) +
                                 " and input " + std::to_string(i) + " has " +
                                 dimsText(context.input(i).dims()));
    if (context.inputCount() == 1)
        return context.setOutput(0, context.input(0));
    ASSIGN_OR_RETURN(auto made, context.allocate(context.input(0).dtype(), dims));
    Value sum = std::move(made);
    const bool known = dispatch(Numbers(), sum.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto z = sum.mutableAs<T>();
        std::ranges::copy(context.input(0).as<T>(), z.begin());
        for (std::size_t input = 1; input < context.inputCount(); ++input) {
            const auto x = context.input(input).as<T>();
            for (std::size_t i = 0; i < z.size(); ++i)
                z[i] = T(wrapping::add(wide(z[i]), wide(x[i])));
        }
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(sum.dtype()));
    return context.setOutput(0, std::move(sum));
}

} // namespace

LAPIDARY_KERNEL(AddN, sumInputs);
LAPIDARY_KERNEL(AccumulateNV2, sumInputs);

} // namespace lapidary
