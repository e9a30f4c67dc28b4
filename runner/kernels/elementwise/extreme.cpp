// SPDX-License-Identifier: Apache-2.0
// The larger and the smaller of two numbers; clipping.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/flushed.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Maximum: the larger number; the first one if either is NaN, as recorded.
struct Larger {
    static constexpr bool takesStored = true; // half and bfloat16 keep their denormals

    template <class T>
    T operator()(T x, T y) const
    {
        return flushedToSigned(wide(x) < wide(y) ? y : x);
    }
};

Status runMaximum(KernelContext& context)
{
    return runBinary(context, Reals(), Larger());
}

// Minimum: the smaller number; the first one if either is NaN, as recorded.
struct Smaller {
    static constexpr bool takesStored = true; // half and bfloat16 keep their denormals

    template <class T>
    T operator()(T x, T y) const
    {
        return flushedToSigned(wide(y) < wide(x) ? y : x);
    }
};

Status runMinimum(KernelContext& context)
{
    return runBinary(context, Reals(), Smaller());
}

// ClipByValue: max(min(t, high), low); a bound is a scalar or has the shape of t. A NaN bound is
// ignored.
template <class T>
T clipped(T t, T low, T high)
{
    const T below = wide(high) < wide(t) ? high : t;
    return flushedToSigned(wide(below) < wide(low) ? low : below);
}

template <class T>
void clip(const Value& t, const Value& low, const Value& high, std::span<T> y)
{
    const T* x = t.as<T>().data();
    const T* a = low.as<T>().data();
    const T* b = high.as<T>().data();
    if (low.isScalar() && high.isScalar()) {
        const T lowest = *a;
        const T highest = *b;
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = clipped(x[i], lowest, highest);
        return;
    }
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = clipped(x[i], a[low.isScalar() ? 0 : i], b[high.isScalar() ? 0 : i]);
}

Status runClipByValue(KernelContext& context)
{
    const Value& t = context.input(0);
    for (std::size_t i = 1; i < 3; ++i)
        if (!context.input(i).isScalar() && context.input(i).dims() != t.dims())
            return context.error("the bounds must be scalars or of shape " + dimsText(t.dims()) +
                                 ", but one has shape " + dimsText(context.input(i).dims()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, t.dtype(), t.dims()));
    const bool known = dispatch(Reals(), t.dtype(), [&](auto zero) {
        clip(t, context.input(1), context.input(2), made.template mutableAs<decltype(zero)>());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(t.dtype()));
}

} // namespace

LAPIDARY_KERNEL(Maximum, runMaximum);
LAPIDARY_KERNEL(Minimum, runMinimum);
LAPIDARY_KERNEL(ClipByValue, runClipByValue);

} // namespace lapidary
