// SPDX-License-Identifier: Apache-2.0
// Comparisons with broadcasting; the result is bool.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {
namespace {

Status compareStrings(KernelContext& context, const Broadcast& broadcast, bool wanted)
{
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Bool, broadcast.output));
    if (made.elements() == 0)
        return Done{};
    const auto x = context.input(0).strings();
    const auto y = context.input(1).strings();
    bool* z = made.mutableAs<bool>().data();
    eachRun(broadcast,
            [&](std::int64_t xAt, std::int64_t yAt, std::int64_t zAt, const Broadcast::Axis& axis) {
                for (std::int64_t i = 0; i < axis.size; ++i)
                    z[zAt + i] = (x[std::size_t(xAt + i * axis.xStep)] ==
                                  y[std::size_t(yAt + i * axis.yStep)]) == wanted;
            });
    return Done{};
}

// Computes z = (x == y) == wanted with broadcasting, for every type that has equality, also
// strings.
Status compareEqual(KernelContext& context, bool wanted)
{
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    const auto broadcast = Broadcast::of(x.dims(), y.dims());
    if (!broadcast && !context.boolAttr("incompatible_shape_error", true)) {
        ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Bool, {}));
        made.mutableAs<bool>()[0] = !wanted;
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

// Equal: x == y, as bool; NaN differs from everything. Shapes that do not fit are an error unless
// incompatible_shape_error is false: then the result is one scalar.
Status runEqual(KernelContext& context)
{
    return compareEqual(context, true);
}

// NotEqual: x != y, as bool; NaN differs from everything. Shapes that do not fit are an error
// unless incompatible_shape_error is false: then the result is one scalar.
Status runNotEqual(KernelContext& context)
{
    return compareEqual(context, false);
}

constexpr Operands swapped{.x = 1, .y = 0}; // x < y is y > x, compiled once for each type

Status compareGreater(KernelContext& context, Operands operands = {})
{
    return runBinaryTo<bool>(
        context, Reals(), [](auto x, auto y) { return x > y; }, operands);
}

Status compareGreaterEqual(KernelContext& context, Operands operands = {})
{
    return runBinaryTo<bool>(
        context, Reals(), [](auto x, auto y) { return x >= y; }, operands);
}

// Greater: x > y, as bool; false if either is NaN.
Status runGreater(KernelContext& context)
{
    return compareGreater(context);
}

// GreaterEqual: x >= y, as bool; false if either is NaN.
Status runGreaterEqual(KernelContext& context)
{
    return compareGreaterEqual(context);
}

// Less: x < y, as bool; false if either is NaN.
Status runLess(KernelContext& context)
{
    return compareGreater(context, swapped);
}

// LessEqual: x <= y, as bool; false if either is NaN.
Status runLessEqual(KernelContext& context)
{
    return compareGreaterEqual(context, swapped);
}

// ApproximateEqual: |x - y| <= tolerance (1e-5), as recorded; shapes must be equal.
Status runApproximateEqual(KernelContext& context)
{
    if (context.input(0).dims() != context.input(1).dims())
        return context.error("the shapes must be equal, but they are " +
                             dimsText(context.input(0).dims()) + " and " +
                             dimsText(context.input(1).dims()));
    const float tolerance = context.floatAttr("tolerance", 1e-5F);
    return runBinaryTo<bool>(context, TypeList<float, double>(), [tolerance](auto x, auto y) {
        return std::abs(x - y) <= decltype(x)(tolerance);
    });
}

} // namespace

LAPIDARY_KERNEL(Equal, runEqual);
LAPIDARY_KERNEL(NotEqual, runNotEqual);
LAPIDARY_KERNEL(Greater, runGreater);
LAPIDARY_KERNEL(GreaterEqual, runGreaterEqual);
LAPIDARY_KERNEL(Less, runLess);
LAPIDARY_KERNEL(LessEqual, runLessEqual);
LAPIDARY_KERNEL(ApproximateEqual, runApproximateEqual);

} // namespace lapidary
