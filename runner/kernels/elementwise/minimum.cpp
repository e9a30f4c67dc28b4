// Minimum: the smaller one; the first where either is NaN, as recorded.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

struct Smaller {
    static constexpr bool takesStored = true; // half and bfloat16 keep their denormals

    template <class T>
    T operator()(T x, T y) const
    {
        return wide(y) < wide(x) ? y : x;
    }
};

Status run(KernelContext& context)
{
    return runBinary(context, Reals(), Smaller());
}

} // namespace

const Kernel kernels::minimum{.op = "Minimum", .run = run};

} // namespace lapidary
