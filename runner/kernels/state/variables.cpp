// SPDX-License-Identifier: Apache-2.0
// Ops that make, read and drop variables.
//   VariableV2, Variable, TemporaryVariable: give a reference; VarHandleOp: gives a handle
//   ReadVariableOp, VariableShape, IsVariableInitialized, VarIsInitializedOp: read it
//   DestroyResourceOp, DestroyTemporaryVariable: remove its value
#include "runner/kernels/basic/identity.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/state/variable.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

DType referenceTo(DType dtype)
{
    constexpr int references = 100;
    return DType(int(dtype) + references);
}

Status runVariable(KernelContext& context)
{
    auto variable = variableOf(context.session(), context.node());
    return context.setOutput(
        0, Value::ofResource(referenceTo(context.typeAttr("dtype")), std::move(variable)));
}

Status runHandle(KernelContext& context)
{
    return context.setOutput(
        0, Value::ofResource(DType::Resource, variableOf(context.session(), context.node())));
}

Status runTemporary(KernelContext& context)
{
    const Shape shape = context.attr("shape").asShape().value_or(Shape{.unknownRank = true});
    if (!isFullyDefined(shape))
        return context.error("its shape " + shapeText(shape) + " is not fully defined");
    const DType dtype = context.typeAttr("dtype");
    std::string name(context.stringAttr("var_name"));
    if (name.empty())
        name = context.node().name();
    ASSIGN_OR_RETURN(auto zeros, dtype == DType::String ? context.allocate(dtype, shape.dims)
                                                        : zerosOf(context, dtype, shape.dims));
    const auto variable = std::make_shared<Variable>(name, dtype, shape);
    variable->set(std::move(zeros));
    context.session().stepResources["temporary/" + name] = variable;
    return context.setOutput(0, Value::ofResource(referenceTo(dtype), variable));
}

Status runDestroyTemporary(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto variable, initializedInput(context, 0));
    const Value value = variable->value();
    variable->clear();
    return context.setOutput(0, value);
}

Status runRead(KernelContext& context)
{
    const auto variable = initializedInput(context, 0);
    RETURN_IF_ERROR(variable);
    const Value& value = (*variable)->value();
    if (value.dtype() != context.typeAttr("dtype"))
        return context.error("the variable " + (*variable)->name() + " holds " +
                             dtypeName(value.dtype()) + ", not " +
                             dtypeName(context.typeAttr("dtype")));
    return context.setOutput(0, value);
}

Status giveFlag(KernelContext& context, bool flag)
{
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Bool, {}));
    made.mutableAs<bool>()[0] = flag;
    return Done{};
}

Status runIsInitialized(KernelContext& context)
{
    const auto variable = variableInput(context, 0);
    return variable ? giveFlag(context, (*variable)->isInitialized()) : variable.error();
}

Status runShape(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto variable, initializedInput(context, 0));
    const Dims& dims = variable->value().dims();
    const bool isWide = context.typeAttr("out_type", DType::Int32) == DType::Int64;
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, isWide ? DType::Int64 : DType::Int32,
                                                   {std::int64_t(dims.size())}));
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (isWide)
            made.mutableAs<std::int64_t>()[i] = dims[i];
        else if (dims[i] <= INT32_MAX)
            made.mutableAs<std::int32_t>()[i] = std::int32_t(dims[i]);
        else
            return context.error("the size " + std::to_string(dims[i]) + " does not fit int32");
    }
    return Done{};
}

Status runDestroy(KernelContext& context)
{
    if (const auto variable = context.input(0).resource<Variable>()) {
        if (!variable->isInitialized() && !context.boolAttr("ignore_lookup_error", true))
            return context.error("the variable " + variable->name() + " has no value");
        variable->clear();
    }
    return Done{};
}

Status runSelect(KernelContext& context)
{
    const auto index = scalarIndex(context, 0, "index");
    RETURN_IF_ERROR(index);
    if (*index < 0 || std::size_t(*index) + 1 >= context.inputCount())
        return context.error("index " + std::to_string(*index) + " is out of range: it has " +
                             std::to_string(context.inputCount() - 1) + " inputs");
    return context.setOutput(0, context.input(std::size_t(*index) + 1));
}

} // namespace

LAPIDARY_KERNEL(Variable, runVariable);
LAPIDARY_KERNEL(VariableV2, runVariable);
LAPIDARY_KERNEL(VarHandleOp, runHandle);
LAPIDARY_KERNEL(TemporaryVariable, runTemporary);
LAPIDARY_KERNEL(DestroyTemporaryVariable, runDestroyTemporary);
LAPIDARY_KERNEL(ReadVariableOp, runRead);
LAPIDARY_KERNEL(IsVariableInitialized, runIsInitialized);
LAPIDARY_KERNEL(VarIsInitializedOp, runIsInitialized);
LAPIDARY_KERNEL(VariableShape, runShape);
LAPIDARY_KERNEL(DestroyResourceOp, runDestroy);
LAPIDARY_KERNEL(RefIdentity, passThrough);
LAPIDARY_KERNEL(RefSelect, runSelect);

} // namespace lapidary
