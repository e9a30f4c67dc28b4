#include "runner/kernels/elementwise/equality.h"

#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/power.h"

#include <algorithm>

namespace lapidary {
namespace {

Status compareStrings(KernelContext& context, const Broadcast& broadcast, bool wanted)
{
    auto made = context.makeOutput(0, DType::Bool, broadcast.output);
    if (!made)
        return made.error();
    if (made.value().elements() == 0)
        return Done{};
    const auto x = context.input(0).strings();
    const auto y = context.input(1).strings();
    bool* z = made.value().mutableAs<bool>().data();
    eachRun(broadcast,
            [&](std::int64_t xAt, std::int64_t yAt, std::int64_t zAt, const Broadcast::Axis& axis) {
                for (std::int64_t i = 0; i < axis.size; ++i)
                    z[zAt + i] = (x[std::size_t(xAt + i * axis.xStep)] ==
                                  y[std::size_t(yAt + i * axis.yStep)]) == wanted;
            });
    return Done{};
}

} // namespace

Status compareEqual(KernelContext& context, bool wanted)
{
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    const auto broadcast = Broadcast::of(x.dims(), y.dims());
    if (!broadcast && !context.boolAttr("incompatible_shape_error", true)) {
        auto made = context.makeOutput(0, DType::Bool, {});
        if (!made)
            return made.error();
        made.value().mutableAs<bool>()[0] = !wanted;
        return Done{};
    }
    if (broadcast && x.dtype() == DType::String)
        return compareStrings(context, *broadcast, wanted);
    if (x.dtype() == DType::Bool)
        return runBinaryTo<bool>(context, TypeList<bool>(),
                                 [wanted](auto a, auto b) { return (a == b) == wanted; });
    return runBinaryTo<bool>(context, Numbers(),
                             [wanted](auto a, auto b) { return (a == b) == wanted; });
}

bool hasZero(const KernelContext& context, const Value& divisor)
{
    if (context.input(0).elements() == 0)
        return false;
    bool found = false;
    dispatch(Integers(), divisor.dtype(), [&](auto zero) {
        found = std::ranges::find(divisor.as<decltype(zero)>(), zero) !=
                divisor.as<decltype(zero)>().end();
    });
    return found;
}

bool hasNegativeInteger(const Value& exponents)
{
    bool found = false;
    dispatch(Integers(), exponents.dtype(), [&](auto zero) {
        using T = decltype(zero);
        found = std::ranges::any_of(exponents.as<T>(), [](T y) { return y < T(0); });
    });
    return found;
}

} // namespace lapidary
