// SPDX-License-Identifier: Apache-2.0
// _ListToArray, _ArrayToList: the inputs, in order.
#include "runner/kernels/kernel.h"

#include <string>

namespace lapidary {
namespace {

Status runRegroup(KernelContext& context)
{
    if (context.inputCount() != context.outputCount())
        return context.error("it takes " + std::to_string(context.inputCount()) +
                             " tensors, but is to give " + std::to_string(context.outputCount()));
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        RETURN_IF_ERROR(context.setOutput(i, context.input(i)));
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(_ListToArray, runRegroup);
LAPIDARY_KERNEL(_ArrayToList, runRegroup);

} // namespace lapidary
