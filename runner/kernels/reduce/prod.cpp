// Prod: the product along some axes; integers wrap.
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/reduce/kernels.h"
#include "runner/kernels/reduce/reduction.h"

namespace lapidary {
namespace {

struct ProductOf {
    template <class T>
    using Sum = WideSum<T>;

    template <class T>
    static Sum<T> start()
    {
        return Sum<T>(1);
    }
    template <class T>
    static Sum<T> value(T x)
    {
        return wide(x);
    }
    template <class S>
    static S combine(S x, S y)
    {
        return S(wrapping::mul(x, y));
    }
    template <class T>
    static T finish(Sum<T> sum, [[maybe_unused]] std::int64_t count)
    {
        return T(sum);
    }
};

Status run(KernelContext& context)
{
    return runReduction<ProductOf>(context, Numbers());
}

} // namespace

const Kernel kernels::prod{.op = "Prod", .run = run};

} // namespace lapidary
