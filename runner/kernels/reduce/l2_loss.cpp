// L2Loss: half the sum of squares of all elements.
#include "runner/kernels/reduce/kernels.h"
#include "runner/kernels/reduce/reduction.h"

namespace lapidary {
namespace {

struct Squares {
    template <class T>
    using Sum = WideSum<T>;

    template <class T>
    static Sum<T> start()
    {
        return Sum<T>(0);
    }
    template <class T>
    static Sum<T> value(T x)
    {
        return wide(x) * wide(x);
    }
    template <class S>
    static S combine(S x, S y)
    {
        return x + y;
    }
};

Status run(KernelContext& context)
{
    const Value& x = context.input(0);
    auto made = context.makeOutput(0, x.dtype(), {});
    if (!made)
        return made.error();
    const bool known = dispatch(RealFloats(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto sum = reduceRun<Squares>(x.as<T>().data(), x.elements());
        made.value().template mutableAs<T>()[0] = T(sum / 2);
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

const Kernel kernels::l2Loss{.op = "L2Loss", .run = run};

} // namespace lapidary
