// SPDX-License-Identifier: Apache-2.0
// Stack, StackV2 and their push, pop and close: values of one type, last in, first out. They live
// until the step ends.
#include "runner/kernels/kernel.h"
#include "runner/kernels/resource_owner.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

class ValueStack final : public ResourceOwner {
public:
    ValueStack(std::string stackName, DType type, std::int64_t most)
        : name(std::move(stackName))
        , dtype(type)
        , maxSize(most)
    {
    }
    void clear() override { values.clear(); }

    std::string name;
    DType dtype;
    std::int64_t maxSize; // negative: no limit
    std::vector<Value> values;
    bool isClosed = false;
};

Result<std::shared_ptr<ValueStack>> stackInput(const KernelContext& context)
{
    auto stack = context.input(0).resource<ValueStack>();
    if (!stack)
        return context.error("its input 0 is not a stack");
    if (stack->isClosed)
        return context.error("the stack " + stack->name + " has already been closed");
    return stack;
}

Status runMakeStack(KernelContext& context)
{
    std::int64_t most = -1;
    if (context.inputCount() > 0) {
        ASSIGN_OR_RETURN(const auto given, scalarIndex(context, 0, "max_size"));
        most = given;
    }
    std::string name(context.stringAttr("stack_name"));
    if (name.empty())
        name = context.node().name();
    auto& resources = context.session().stepResources;
    const auto stack = std::make_shared<ValueStack>(name, context.typeAttr("elem_type"), most);
    resources.emplace("stack/" + name + "_" + std::to_string(resources.size()), stack);
    constexpr auto reference = DType(100 + int(DType::String));
    const bool isResource = context.node().op() == "StackV2";
    return context.setOutput(0, Value::ofResource(isResource ? DType::Resource : reference, stack));
}

Status runPush(KernelContext& context)
{
    const auto stack = stackInput(context);
    RETURN_IF_ERROR(stack);
    ValueStack& to = **stack;
    if (context.input(1).dtype() != to.dtype)
        return context.error("the stack " + to.name + " holds " + dtypeName(to.dtype) + ", not " +
                             dtypeName(context.input(1).dtype()));
    if (to.maxSize >= 0 && std::int64_t(to.values.size()) >= to.maxSize)
        return context.error("the stack " + to.name + " is full: its max_size is " +
                             std::to_string(to.maxSize));
    to.values.push_back(context.input(1));
    return context.setOutput(0, context.input(1));
}

Status runPop(KernelContext& context)
{
    const auto stack = stackInput(context);
    RETURN_IF_ERROR(stack);
    ValueStack& from = **stack;
    if (context.typeAttr("elem_type") != from.dtype)
        return context.error("the stack " + from.name + " holds " + dtypeName(from.dtype));
    if (from.values.empty())
        return context.error("the stack " + from.name + " is empty");
    Value value = std::move(from.values.back());
    from.values.pop_back();
    return context.setOutput(0, std::move(value));
}

Status runCloseStack(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto stack, stackInput(context));
    stack->values.clear();
    stack->isClosed = true;
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Stack, runMakeStack);
LAPIDARY_KERNEL(StackV2, runMakeStack);
LAPIDARY_KERNEL(StackPush, runPush);
LAPIDARY_KERNEL(StackPushV2, runPush);
LAPIDARY_KERNEL(StackPop, runPop);
LAPIDARY_KERNEL(StackPopV2, runPop);
LAPIDARY_KERNEL(StackClose, runCloseStack);
LAPIDARY_KERNEL(StackCloseV2, runCloseStack);

} // namespace lapidary
