#include "runner/kernels/quantised/pairing.h"

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
    const auto x = growingRangeOf(context, 2, "x");
    if (!x)
        return x.error();
    const auto y = growingRangeOf(context, 4, "y");
    if (!y)
        return y.error();
    auto pairing = pairingOf(context);
    if (!pairing)
        return pairing.error();
    auto out = context.makeOutput(0, DType::QInt32, pairing.value().broadcast.output);
    if (!out)
        return out.error();
    return PairOperands{x.value(), y.value(), std::move(pairing).value(), std::move(out).value()};
}

} // namespace lapidary
