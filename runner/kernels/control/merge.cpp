// Merge: the one live input, and its position.
#include "runner/kernels/basic/kernels.h"
#include "runner/kernels/control/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        if (!context.input(i).isSet())
            continue;
        auto index = context.makeOutput(1, DType::Int32, {});
        if (!index)
            return index.error();
        index.value().mutableAs<std::int32_t>()[0] = std::int32_t(i);
        return context.setOutput(0, kernels::passedInput(context, i));
    }
    return context.error("ran without a live input");
}

} // namespace

const Kernel kernels::merge{.op = "Merge", .run = run};
const Kernel kernels::refMerge{.op = "RefMerge", .run = run};

} // namespace lapidary
