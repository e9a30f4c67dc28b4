// SPDX-License-Identifier: Apache-2.0
// ApplyGradientDescent and its resource form: variable -= delta alpha.
#include "runner/kernels/kernel.h"
#include "runner/kernels/rounded.h"
#include "runner/kernels/state/variable.h"

#include <span>

namespace lapidary {
namespace {

Status runGradientDescent(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto variable, initializedInput(context, 0));
    const Value& delta = context.input(2);
    RETURN_IF_ERROR(checkChange(context, *variable, delta));
    return changeInPlace(context, RealFloats(), *variable, [&]<class T>(std::span<T> to) {
        const auto from = delta.as<T>();
        const auto alpha = wide(context.input(1).as<T>()[0]);
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = T(wide(to[i]) - rounded<T>(wide(from[i]) * alpha));
    });
}

} // namespace

LAPIDARY_KERNEL(ApplyGradientDescent, runGradientDescent, .ranks = {Rank::Any, Rank::Scalar});
LAPIDARY_KERNEL(ResourceApplyGradientDescent, runGradientDescent,
                .ranks = {Rank::Any, Rank::Scalar});

} // namespace lapidary
