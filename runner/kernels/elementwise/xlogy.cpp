// Xlogy: x == 0 ? 0 : x log(y).
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/flushed.h"
#include "runner/kernels/elementwise/kernels.h"

#include <cmath>
#include <complex>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, FloatsAndComplex(), [](auto x, auto y) {
        return x == decltype(x)(0) ? x : x * std::log(flushed(y));
    });
}

} // namespace

const Kernel kernels::xlogy{.op = "Xlogy", .run = run};

} // namespace lapidary
