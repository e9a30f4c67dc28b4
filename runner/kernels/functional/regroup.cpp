// _ListToArray, _ArrayToList: the inputs, in order.
#include "runner/kernels/functional/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        if (const Status status = context.setOutput(i, context.input(i)); !status)
            return status;
    return Done{};
}

} // namespace

const Kernel kernels::listToArray{.op = "_ListToArray", .run = run};
const Kernel kernels::arrayToList{.op = "_ArrayToList", .run = run};

} // namespace lapidary
