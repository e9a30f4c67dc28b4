// All: whether every element along some axes is true.
#include "runner/kernels/reduce/kernels.h"
#include "runner/kernels/reduce/reduction.h"

namespace lapidary {
namespace {

struct AllOf {
    template <class T>
    using Sum = std::uint8_t;

    template <class T>
    static Sum<T> start()
    {
        return 1;
    }
    template <class T>
    static Sum<T> value(T x)
    {
        return std::uint8_t(x);
    }
    template <class S>
    static S combine(S x, S y)
    {
        return x & y;
    }
    template <class T>
    static T finish(Sum<T> sum, [[maybe_unused]] std::int64_t count)
    {
        return sum != 0;
    }
};

Status run(KernelContext& context)
{
    return runReduction<AllOf>(context, TypeList<bool>());
}

} // namespace

const Kernel kernels::all{.op = "All", .run = run};

} // namespace lapidary
