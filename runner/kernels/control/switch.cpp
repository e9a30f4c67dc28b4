// Switch: output 1 where `pred` is true, else output 0; the other one is dead.
// _SwitchN: output `output_index`; an index out of range means the last one.
#include "runner/kernels/basic/kernels.h"
#include "runner/kernels/control/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& pred = context.input(1);
    if (!pred.isScalar() || pred.dtype() != DType::Bool)
        return context.error("pred must be a bool scalar, but it is " + dtypeName(pred.dtype()) +
                             " " + dimsText(pred.dims()));
    return context.setOutput(pred.as<bool>()[0] ? 1 : 0, kernels::passedInput(context, 0));
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
                             kernels::passedInput(context, 0));
}

} // namespace

const Kernel kernels::switchOp{.op = "Switch", .run = run};
const Kernel kernels::refSwitch{.op = "RefSwitch", .run = run};
const Kernel kernels::switchN{.op = "_SwitchN", .run = runN};

} // namespace lapidary
