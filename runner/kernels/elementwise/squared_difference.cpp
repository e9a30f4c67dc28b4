// SquaredDifference: z = (x - y) conj(x - y).
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/wrapping.h"

#include <complex>

namespace lapidary {
namespace {

struct SquaredDifference {
    static constexpr bool takesStored = true;

    template <class T>
    T operator()(T x, T y) const
    {
        const T d = T(wrapping::sub(wide(x), wide(y)));
        if constexpr (isComplex<T>)
            return d * std::conj(d);
        else
            return T(wrapping::mul(wide(d), wide(d))); // half: the difference is rounded too
    }
};

Status run(KernelContext& context)
{
    return runBinary(context, Numbers(), SquaredDifference());
}

} // namespace

const Kernel kernels::squaredDifference{.op = "SquaredDifference", .run = run};

} // namespace lapidary
