// SPDX-License-Identifier: Apache-2.0
// Softmax and LogSoftmax over the last axis (spec: kernels, A6): e = exp(x - max); e * (1 / sum e),
// or x - max - ln(sum e). Half is computed in float and rounded once.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/fast_float.h"
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

template <bool isLog, class T>
void softmaxRow(const T* x, T* y, std::int64_t size)
{
    using W = decltype(wide(T()));
    W largest = wide(x[0]);
    for (std::int64_t i = 1; i < size; ++i)
        largest = std::max(largest, W(wide(x[i])));
    W sum = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const W power = std::exp(W(wide(x[i])) - largest);
        sum += power;
        if constexpr (!isLog && std::is_same_v<T, W>)
            y[i] = power;
    }
    const W factor = isLog ? std::log(sum) : 1 / sum;
    for (std::int64_t i = 0; i < size; ++i) {
        if constexpr (isLog)
            y[i] = T(W(wide(x[i])) - largest - factor);
        else if constexpr (std::is_same_v<T, W>)
            y[i] *= factor;
        else
            y[i] = T(std::exp(W(wide(x[i])) - largest) * factor);
    }
}

template <bool isLog>
Status runSoftmax(KernelContext& context)
{
    const Value x = context.input(0);
    if (x.rank() < 1)
        return context.error("logits must have at least one dimension");
    auto y = context.makeOutput(0, x.dtype(), x.dims());
    if (!y || x.elements() == 0)
        return y ? Status(Done{}) : y.error();
    const std::int64_t size = x.dim(x.rank() - 1);
    // TensorFlow computes the exponentials of the whole tensor in vectors of eight, and the rest
    // one by one, by the C library.
    const std::int64_t inVectors = x.elements() / 8 * 8;
    const bool known = dispatch(TypeList<float, double, Half>(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* from = x.as<T>().data();
        T* to = y.value().template mutableAs<T>().data();
        parallelFor(x.elements() / size, size * 8, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row)
                if constexpr (!isLog && std::is_same_v<T, float>)
                    softmaxFloats(from + row * size, to + row * size, size, inVectors - row * size);
                else
                    softmaxRow<isLog>(from + row * size, to + row * size, size);
        });
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(LogSoftmax, runSoftmax<true>);
LAPIDARY_KERNEL(Softmax, runSoftmax<false>);

} // namespace lapidary
