// Relu: y = max(x, 0). NaN stays NaN, as in TensorFlow.
#include "runner/kernels/elementwise/flushed.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

struct Relu {
    static constexpr bool takesStored = true; // half and bfloat16 keep their denormals

    template <class T>
    T operator()(T x) const
    {
        using W = decltype(wide(x));
        return wide(x) < W(0) ? T(W(0)) : flushed(x);
    }
};

Status run(KernelContext& context)
{
    return runUnary(context, Reals(), Relu());
}

} // namespace

const Kernel kernels::relu{.op = "Relu", .run = run};

} // namespace lapidary
