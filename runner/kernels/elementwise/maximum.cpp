// Maximum: the larger one; the first where either is NaN, as recorded.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

struct Larger {
    static constexpr bool takesStored = true; // half and bfloat16 keep their denormals

    template <class T>
    T operator()(T x, T y) const
    {
        return wide(x) < wide(y) ? y : x;
    }
};

Status run(KernelContext& context)
{
    return runBinary(context, Reals(), Larger());
}

} // namespace

const Kernel kernels::maximum{.op = "Maximum", .run = run};

} // namespace lapidary
