// Max: the largest element along some axes; NaN is passed over.
#include "runner/kernels/reduce/kernels.h"
#include "runner/kernels/reduce/limits.h"
#include "runner/kernels/reduce/reduction.h"

namespace lapidary {
namespace {

struct MaxOf {
    template <class T>
    using Sum = WideSum<T>;

    template <class T>
    static Sum<T> start()
    {
        return lowest<Sum<T>>();
    }
    template <class T>
    static Sum<T> value(T x)
    {
        return wide(x);
    }
    template <class S>
    static S combine(S x, S y)
    {
        return x < y ? y : x;
    }
    template <class T>
    static T finish(Sum<T> sum, [[maybe_unused]] std::int64_t count)
    {
        return T(sum);
    }
};

Status run(KernelContext& context)
{
    return runReduction<MaxOf>(context, Reals());
}

} // namespace

const Kernel kernels::max{.op = "Max", .run = run};

} // namespace lapidary
