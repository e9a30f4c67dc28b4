// Relu6: y = min(max(x, 0), 6).
#include "runner/kernels/elementwise/flushed.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

struct Relu6 {
    static constexpr bool takesStored = true; // half and bfloat16 keep their denormals

    template <class T>
    T operator()(T x) const
    {
        using W = decltype(wide(x));
        if (wide(x) < W(0))
            return T(W(0));
        return wide(x) > W(6) ? T(W(6)) : flushed(x);
    }
};

Status run(KernelContext& context)
{
    return runUnary(context, Reals(), Relu6());
}

} // namespace

const Kernel kernels::relu6{.op = "Relu6", .run = run};

} // namespace lapidary
