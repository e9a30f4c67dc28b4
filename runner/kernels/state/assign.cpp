// Assign, AssignVariableOp: the variable becomes the value; with validate_shape its shape stays.
// AssignAdd, AssignSub and their resource forms: the variable becomes itself +- the value.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/state/kernels.h"
#include "runner/kernels/state/variable.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

Status runAssign(KernelContext& context)
{
    const auto variable = variableInput(context, 0);
    if (!variable)
        return variable.error();
    const Value& value = context.input(1);
    if (context.boolAttr("validate_shape", true)) {
        const Variable& old = *variable.value();
        const Shape shape =
            old.isInitialised() ? Shape{old.value().dims(), false} : old.declaredShape();
        if (!fitsShape(value.dims(), shape))
            return context.error("a value of shape " + dimsText(value.dims()) +
                                 " cannot be assigned to the variable " + old.name() +
                                 " of shape " + shapeText(shape));
    }
    variable.value()->set(value);
    return context.setOutput(0, context.input(0));
}

Status runAssignResource(KernelContext& context)
{
    const auto variable = variableInput(context, 0);
    if (!variable)
        return variable.error();
    if (variable.value()->dtype() != context.input(1).dtype())
        return context.error("the variable " + variable.value()->name() + " holds " +
                             dtypeName(variable.value()->dtype()) + ", not " +
                             dtypeName(context.input(1).dtype()));
    variable.value()->set(context.input(1));
    return Done{};
}

template <bool subtracts>
Status runUpdate(KernelContext& context)
{
    const auto variable = initialisedInput(context, 0);
    if (!variable)
        return variable.error();
    const Value& change = context.input(1);
    if (variable.value()->value().dims() != change.dims() ||
        variable.value()->value().dtype() != change.dtype())
        return context.error("a value of type " + dtypeName(change.dtype()) + " " +
                             dimsText(change.dims()) + " cannot change the variable " +
                             variable.value()->name() + " of type " +
                             dtypeName(variable.value()->value().dtype()) + " " +
                             dimsText(variable.value()->value().dims()));
    auto taken = variable.value()->take(context);
    if (!taken)
        return taken.error();
    Value value = std::move(taken).value();
    const bool known = dispatch(Numbers(), change.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto from = change.as<T>();
        const auto to = value.mutableAs<T>();
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = T(subtracts ? wrapping::sub(wide(to[i]), wide(from[i]))
                                : wrapping::add(wide(to[i]), wide(from[i])));
    });
    variable.value()->set(std::move(value));
    if (!known)
        return context.error("has no kernel for " + dtypeName(change.dtype()));
    return context.outputCount() > 0 ? context.setOutput(0, context.input(0)) : Done{};
}

} // namespace

const Kernel kernels::assign{.op = "Assign", .run = runAssign};
const Kernel kernels::assignAdd{.op = "AssignAdd", .run = runUpdate<false>};
const Kernel kernels::assignSub{.op = "AssignSub", .run = runUpdate<true>};
const Kernel kernels::assignVariableOp{.op = "AssignVariableOp", .run = runAssignResource};
const Kernel kernels::assignAddVariableOp{.op = "AssignAddVariableOp", .run = runUpdate<false>};
const Kernel kernels::assignSubVariableOp{.op = "AssignSubVariableOp", .run = runUpdate<true>};

} // namespace lapidary
