// Expm1: y = exp(x) - 1, exact near 0.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(), []([[maybe_unused]] auto x) {
        if constexpr (isComplex<decltype(x)>) {
            using R = typename decltype(x)::value_type;
            const R half = std::sin(x.imag() / 2);
            return decltype(x)(std::expm1(x.real()) * std::cos(x.imag()) - 2 * half * half,
                               std::exp(x.real()) * std::sin(x.imag()));
        } else {
            return std::expm1(x);
        }
    });
}

} // namespace

const Kernel kernels::expm1{.op = "Expm1", .run = run};

} // namespace lapidary
