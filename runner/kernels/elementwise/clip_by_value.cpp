// ClipByValue: max(min(t, high), low); a bound is a scalar or has the shape of t. A NaN bound is
// ignored.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

template <class T>
T clipped(T t, T low, T high)
{
    const T below = wide(high) < wide(t) ? high : t;
    return wide(below) < wide(low) ? low : below;
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

Status run(KernelContext& context)
{
    const Value& t = context.input(0);
    for (std::size_t i = 1; i < 3; ++i)
        if (!context.input(i).isScalar() && context.input(i).dims() != t.dims())
            return context.error("the bounds must be scalars or of shape " + dimsText(t.dims()) +
                                 ", but one has shape " + dimsText(context.input(i).dims()));
    auto made = context.makeOutput(0, t.dtype(), t.dims());
    if (!made)
        return made.error();
    const bool known = dispatch(Reals(), t.dtype(), [&](auto zero) {
        clip(t, context.input(1), context.input(2),
             made.value().template mutableAs<decltype(zero)>());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(t.dtype()));
}

} // namespace

const Kernel kernels::clipByValue{.op = "ClipByValue", .run = run};

} // namespace lapidary
