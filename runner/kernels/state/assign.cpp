// SPDX-License-Identifier: Apache-2.0
// Assign, AssignVariableOp: the variable becomes the value; with validate_shape its shape stays.
// AssignAdd, AssignSub and their resource forms: the variable becomes itself +- the value.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/state/variable.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

Status runAssign(KernelContext& context)
{
    const auto variable = variableInput(context, 0);
    RETURN_IF_ERROR(variable);
    const Value& value = context.input(1);
    if (context.boolAttr("validate_shape", true)) {
        const Variable& old = **variable;
        const Shape shape =
            old.isInitialized() ? Shape{old.value().dims(), false} : old.declaredShape();
        if (!fitsShape(value.dims(), shape))
            return context.error("a value of shape " + dimsText(value.dims()) +
                                 " cannot be assigned to the variable " + old.name() +
                                 " of shape " + shapeText(shape));
    }
    (*variable)->set(value);
    return context.setOutput(0, context.input(0));
}

Status runAssignResource(KernelContext& context)
{
    const auto variable = variableInput(context, 0);
    RETURN_IF_ERROR(variable);
    if ((*variable)->dtype() != context.input(1).dtype())
        return context.error("the variable " + (*variable)->name() + " holds " +
                             dtypeName((*variable)->dtype()) + ", not " +
                             dtypeName(context.input(1).dtype()));
    (*variable)->set(context.input(1));
    return Done{};
}

template <bool subtracts>
Status runUpdate(KernelContext& context)
{
    const auto variable = initializedInput(context, 0);
    RETURN_IF_ERROR(variable);
    const Value& change = context.input(1);
    if ((*variable)->value().dims() != change.dims() ||
        (*variable)->value().dtype() != change.dtype())
        return context.error(
            "a value of type " + dtypeName(change.dtype()) + " " + dimsText(change.dims()) +
            " cannot change the variable " + (*variable)->name() + " of type " +
            dtypeName((*variable)->value().dtype()) + " " + dimsText((*variable)->value().dims()));
    ASSIGN_OR_RETURN(auto taken, (*variable)->take(context));
    Value value = std::move(taken);
    const bool known = dispatch(Numbers(), change.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto from = change.as<T>();
        const auto to = value.mutableAs<T>();
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = T(subtracts ? wrapping::sub(wide(to[i]), wide(from[i]))
                                : wrapping::add(wide(to[i]), wide(from[i])));
    });
    (*variable)->set(std::move(value));
    if (!known)
        return context.error("has no kernel for " + dtypeName(change.dtype()));
    return context.outputCount() > 0 ? context.setOutput(0, context.input(0)) : Done{};
}

} // namespace

LAPIDARY_KERNEL(Assign, runAssign);
LAPIDARY_KERNEL(AssignAdd, runUpdate<false>);
LAPIDARY_KERNEL(AssignSub, runUpdate<true>);
LAPIDARY_KERNEL(AssignVariableOp, runAssignResource);
LAPIDARY_KERNEL(AssignAddVariableOp, runUpdate<false>);
LAPIDARY_KERNEL(AssignSubVariableOp, runUpdate<true>);

} // namespace lapidary
