// SPDX-License-Identifier: Apache-2.0
// Assign, AssignVariableOp: variable = value; with validate_shape the shape must stay the same.
// AssignAdd, AssignSub and their resource forms: variable += value, variable -= value.
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/state/variable.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <span>

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
    RETURN_IF_ERROR(checkChange(context, **variable, change));
    return changeInPlace(context, Numbers(), **variable, [&]<class T>(std::span<T> to) {
        const auto from = change.as<T>();
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = T(subtracts ? wrapping::sub(wide(to[i]), wide(from[i]))
                                : wrapping::add(wide(to[i]), wide(from[i])));
    });
}

} // namespace

LAPIDARY_KERNEL(Assign, runAssign);
LAPIDARY_KERNEL(AssignAdd, runUpdate<false>);
LAPIDARY_KERNEL(AssignSub, runUpdate<true>);
LAPIDARY_KERNEL(AssignVariableOp, runAssignResource);
LAPIDARY_KERNEL(AssignAddVariableOp, runUpdate<false>);
LAPIDARY_KERNEL(AssignSubVariableOp, runUpdate<true>);

} // namespace lapidary
