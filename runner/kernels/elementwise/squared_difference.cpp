// SquaredDifference: z = (x - y) conj(x - y).
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/wrapping.h"

#include <complex>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, Numbers(), [](auto x, auto y) {
        const auto d = wrapping::sub(x, y);
        if constexpr (isComplex<decltype(x)>)
            return d * std::conj(d);
        else
            return wrapping::mul(d, d);
    });
}

} // namespace

const Kernel kernels::squaredDifference{.op = "SquaredDifference", .run = run};

} // namespace lapidary
