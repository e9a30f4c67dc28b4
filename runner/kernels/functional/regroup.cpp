// SPDX-License-Identifier: Apache-2.0
// _ListToArray, _ArrayToList: the inputs, in order.
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runRegroup(KernelContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        RETURN_IF_ERROR(context.setOutput(i, context.input(i)));
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(_ListToArray, runRegroup);
LAPIDARY_KERNEL(_ArrayToList, runRegroup);

} // namespace lapidary
