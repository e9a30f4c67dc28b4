// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/quantized/pairing.h"

#include <algorithm>

namespace lapidary {

Result<Pairing> pairingOf(const KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    auto broadcast = Broadcast::of(x.dims(), y.dims());
    if (!broadcast)
        return context.error("incompatible shapes: " + dimsText(x.dims()) + " and " +
                             dimsText(y.dims()));
    const std::size_t rank = broadcast->axes.size();
    if (rank > 2)
        return context.error("broadcasting between " + dimsText(x.dims()) + " and " +
                             dimsText(y.dims()) + " is not supported");
    Pairing pairing{.broadcast = std::move(*broadcast)};
    if (rank < 2)
        return pairing;
    const auto isWhole = [&pairing](std::int64_t Broadcast::Axis::*step) {
        return std::ranges::all_of(pairing.broadcast.axes,
                                   [step](const Broadcast::Axis& axis) { return axis.*step != 0; });
    };
    pairing.repeatsY = isWhole(&Broadcast::Axis::xStep) && y.elements() > 0;
    pairing.repeatsX = isWhole(&Broadcast::Axis::yStep) && x.elements() > 0;
    return pairing;
}

Result<PairOperands> pairOperands(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto x, growingRangeOf(context, 2, "x"));
    ASSIGN_OR_RETURN(const auto y, growingRangeOf(context, 4, "y"));
    ASSIGN_OR_RETURN(auto pairing, pairingOf(context));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::QInt32, pairing.broadcast.output));
    return PairOperands{x, y, std::move(pairing), std::move(out)};
}

} // namespace lapidary
