// SPDX-License-Identifier: Apache-2.0
// Assert: an error that contains the data if the condition is false.
#include "runner/kernels/checks/value_text.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runAssert(KernelContext& context)
{
    const Value& condition = context.input(0);
    if (!condition.isScalar())
        return context.error("its condition must be a scalar, but its shape is " +
                             dimsText(condition.dims()));
    if (condition.as<bool>()[0])
        return Done{};
    std::string text = "assertion failed:";
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        text += " [" + summaryText(context.input(i), context.intAttr("summarize", 3)) + "]";
    return context.error(text);
}

} // namespace

LAPIDARY_KERNEL(Assert, runAssert);

} // namespace lapidary
