// Ops that make, read and drop variables.
//   VariableV2, Variable, TemporaryVariable: a reference to it; VarHandleOp: its handle
//   ReadVariableOp, VariableShape, IsVariableInitialized, VarIsInitializedOp: what it holds
//   DestroyResourceOp, DestroyTemporaryVariable: it has no value any more
#include "runner/kernels/basic/kernels.h"
#include "runner/kernels/state/kernels.h"
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
    auto zeros = dtype == DType::String ? context.allocate(dtype, shape.dims)
                                        : zerosOf(context, dtype, shape.dims);
    if (!zeros)
        return zeros.error();
    const auto variable = std::make_shared<Variable>(name, dtype, shape);
    variable->set(std::move(zeros).value());
    context.session().stepResources["temporary/" + name] = variable;
    return context.setOutput(0, Value::ofResource(referenceTo(dtype), variable));
}

Status runDestroyTemporary(KernelContext& context)
{
    const auto variable = initialisedInput(context, 0);
    if (!variable)
        return variable.error();
    const Value value = variable.value()->value();
    variable.value()->clear();
    return context.setOutput(0, value);
}

Status runRead(KernelContext& context)
{
    const auto variable = initialisedInput(context, 0);
    if (!variable)
        return variable.error();
    const Value& value = variable.value()->value();
    if (value.dtype() != context.typeAttr("dtype"))
        return context.error("the variable " + variable.value()->name() + " holds " +
                             dtypeName(value.dtype()) + ", not " +
                             dtypeName(context.typeAttr("dtype")));
    return context.setOutput(0, value);
}

Status giveFlag(KernelContext& context, bool flag)
{
    auto made = context.makeOutput(0, DType::Bool, {});
    if (!made)
        return made.error();
    made.value().mutableAs<bool>()[0] = flag;
    return Done{};
}

Status runIsInitialised(KernelContext& context)
{
    const auto variable = variableInput(context, 0);
    return variable ? giveFlag(context, variable.value()->isInitialised()) : variable.error();
}

Status runShape(KernelContext& context)
{
    const auto variable = initialisedInput(context, 0);
    if (!variable)
        return variable.error();
    const Dims& dims = variable.value()->value().dims();
    const bool isWide = context.typeAttr("out_type", DType::Int32) == DType::Int64;
    auto made =
        context.makeOutput(0, isWide ? DType::Int64 : DType::Int32, {std::int64_t(dims.size())});
    if (!made)
        return made.error();
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (isWide)
            made.value().mutableAs<std::int64_t>()[i] = dims[i];
        else if (dims[i] <= INT32_MAX)
            made.value().mutableAs<std::int32_t>()[i] = std::int32_t(dims[i]);
        else
            return context.error("the size " + std::to_string(dims[i]) + " does not fit int32");
    }
    return Done{};
}

Status runDestroy(KernelContext& context)
{
    if (const auto variable = context.input(0).resource<Variable>()) {
        if (!variable->isInitialised() && !context.boolAttr("ignore_lookup_error", true))
            return context.error("the variable " + variable->name() + " has no value");
        variable->clear();
    }
    return Done{};
}

Status runSelect(KernelContext& context)
{
    const auto index = scalarIndex(context, 0, "index");
    if (!index)
        return index.error();
    if (index.value() < 0 || std::size_t(index.value()) + 1 >= context.inputCount())
        return context.error("index " + std::to_string(index.value()) +
                             " is out of range: it has " +
                             std::to_string(context.inputCount() - 1) + " inputs");
    return context.setOutput(0, context.input(std::size_t(index.value()) + 1));
}

} // namespace

const Kernel kernels::variable{.op = "Variable", .run = runVariable};
const Kernel kernels::variableV2{.op = "VariableV2", .run = runVariable};
const Kernel kernels::varHandleOp{.op = "VarHandleOp", .run = runHandle};
const Kernel kernels::temporaryVariable{.op = "TemporaryVariable", .run = runTemporary};
const Kernel kernels::destroyTemporaryVariable{.op = "DestroyTemporaryVariable",
                                               .run = runDestroyTemporary};
const Kernel kernels::readVariableOp{.op = "ReadVariableOp", .run = runRead};
const Kernel kernels::isVariableInitialized{.op = "IsVariableInitialized", .run = runIsInitialised};
const Kernel kernels::varIsInitializedOp{.op = "VarIsInitializedOp", .run = runIsInitialised};
const Kernel kernels::variableShape{.op = "VariableShape", .run = runShape};
const Kernel kernels::destroyResourceOp{.op = "DestroyResourceOp", .run = runDestroy};
const Kernel kernels::refIdentity{.op = "RefIdentity", .run = kernels::passThrough};
const Kernel kernels::refSelect{.op = "RefSelect", .run = runSelect};

} // namespace lapidary
