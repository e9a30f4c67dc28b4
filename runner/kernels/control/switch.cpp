// SPDX-License-Identifier: Apache-2.0
// Nodes that send a value to one of several outputs, or take it from one of several inputs. The
// executor moves the tokens; the kernels only set the live output.
#include "runner/kernels/basic/identity.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Switch: output 1 if `pred` is true, else output 0; the other one is dead.
// _SwitchN: output `output_index`; an index out of range means the last one.
Status runSwitch(KernelContext& context)
{
    const Value& pred = context.input(1);
    if (!pred.isScalar() || pred.dtype() != DType::Bool)
        return context.error("pred must be a bool scalar, but it is " + dtypeName(pred.dtype()) +
                             " " + dimsText(pred.dims()));
    return context.setOutput(pred.as<bool>()[0] ? 1 : 0, passedInput(context, 0));
}

Status runN(KernelContext& context)
{
    const Value& index = context.input(1);
    if (!index.isScalar() || index.dtype() != DType::Int32)
        return context.error("output_index must be an int32 scalar, but it is " +
                             dtypeName(index.dtype()) + " " + dimsText(index.dims()));
    const std::int32_t chosen = index.as<std::int32_t>()[0];
    const auto last = std::int32_t(context.outputCount()) - 1;
    return context.setOutput(std::size_t(chosen < 0 || chosen > last ? last : chosen),
                             passedInput(context, 0));
}

// Merge: the only live input, and its position.
Status runMerge(KernelContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        if (!context.input(i).isSet())
            continue;
        ASSIGN_OR_RETURN(auto index, context.makeOutput(1, DType::Int32, {}));
        index.mutableAs<std::int32_t>()[0] = std::int32_t(i);
        return context.setOutput(0, passedInput(context, i));
    }
    return context.error("ran without a live input");
}

} // namespace

LAPIDARY_KERNEL(Switch, runSwitch);
LAPIDARY_KERNEL(RefSwitch, runSwitch);
LAPIDARY_KERNEL(_SwitchN, runN);
LAPIDARY_KERNEL(Merge, runMerge);
LAPIDARY_KERNEL(RefMerge, runMerge);

} // namespace lapidary
