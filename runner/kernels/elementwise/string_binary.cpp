// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/elementwise/string_binary.h"

#include "runner/kernels/elementwise/broadcast.h"

namespace lapidary {

Status joinStrings(KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    const auto broadcast = Broadcast::of(x.dims(), y.dims());
    if (!broadcast)
        return context.error("incompatible shapes: " + dimsText(x.dims()) + " and " +
                             dimsText(y.dims()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::String, broadcast->output));
    if (made.elements() == 0)
        return Done{};
    const auto z = made.mutableStrings();
    eachRun(*broadcast,
            [&](std::int64_t xAt, std::int64_t yAt, std::int64_t zAt, const Broadcast::Axis& axis) {
                for (std::int64_t i = 0; i < axis.size; ++i) {
                    stopPoint();
                    z[std::size_t(zAt + i)] = x.strings()[std::size_t(xAt + i * axis.xStep)] +
                                              y.strings()[std::size_t(yAt + i * axis.yStep)];
                }
            });
    return Done{};
}

} // namespace lapidary
