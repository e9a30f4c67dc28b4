// SPDX-License-Identifier: Apache-2.0
// ApplyGradientDescent and its resource form: the variable becomes itself - delta alpha.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/state/variable.h"

namespace lapidary {
namespace {

Status checkStep(const KernelContext& context, const Variable& variable)
{
    const Value& alpha = context.input(1);
    const Value& delta = context.input(2);
    if (alpha.rank() != 0)
        return context.error("alpha must be a single number, but is " + dimsText(alpha.dims()));
    if (variable.value().dims() != delta.dims() || variable.value().dtype() != delta.dtype() ||
        alpha.dtype() != delta.dtype())
        return context.error("a step of type " + dtypeName(delta.dtype()) + " " +
                             dimsText(delta.dims()) + " cannot change the variable " +
                             variable.name() + " of type " + dtypeName(variable.value().dtype()) +
                             " " + dimsText(variable.value().dims()));
    return Done{};
}

Status runGradientDescent(KernelContext& context)
{
    const auto variable = initializedInput(context, 0);
    RETURN_IF_ERROR(variable);
    RETURN_IF_ERROR(checkStep(context, **variable));
    const Value& delta = context.input(2);
    ASSIGN_OR_RETURN(auto taken, (*variable)->take(context));
    Value value = std::move(taken);
    const bool known = dispatch(RealFloats(), delta.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto from = delta.as<T>();
        const auto alpha = wide(context.input(1).as<T>()[0]);
        const auto to = value.mutableAs<T>();
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = T(wide(to[i]) - wide(T(wide(from[i]) * alpha)));
    });
    (*variable)->set(std::move(value));
    if (!known)
        return context.error("has no kernel for " + dtypeName(delta.dtype()));
    return context.outputCount() > 0 ? context.setOutput(0, context.input(0)) : Done{};
}

} // namespace

LAPIDARY_KERNEL(ApplyGradientDescent, runGradientDescent);
LAPIDARY_KERNEL(ResourceApplyGradientDescent, runGradientDescent);

} // namespace lapidary
