// SPDX-License-Identifier: Apache-2.0
// Training that uses the size or the sign of gradients, where g is the gradient:
//   AdaMax:    m += (1 - beta1) (g - m);  v = max(beta2 v, |g|)
//              variable -= lr / (1 - beta1_power) m / (v + epsilon)
//   AddSign:   m = beta m + (1 - beta) g
//              variable -= lr (alpha + decay sign(g) sign(m)) g
//   PowerSign: variable -= lr exp(logbase decay sign(g) sign(m)) g
//   AdamWithAmsgrad: Adam, with the largest v so far instead of v
#include "runner/kernels/state/optimizer.h"

#include <algorithm>

namespace lapidary {
namespace {

template <class T>
Stepwise<T> fadedMean(Stepwise<T> mean, Stepwise<T> fresh, Stepwise<T> beta)
{
    return mean + (fresh - mean) * (Stepwise<T>(1) - beta);
}

template <class T>
struct AdaMax {
    AdaMax(const KernelContext& /*context*/, std::span<const Stepwise<T>> numbers)
        : rate(numbers[1] / (Stepwise<T>(1) - numbers[0]))
        , beta1(numbers[2])
        , beta2(numbers[3])
        , epsilon(numbers[4])
    {
    }
    void step(std::span<Stepwise<T>> slots, Stepwise<T> g) const
    {
        slots[1] = fadedMean(slots[1], g, beta1);
        slots[2] = std::max(beta2 * slots[2], sizeOf(g));
        slots[0] = slots[0] - rate * (slots[1] / (slots[2] + epsilon));
    }
    Stepwise<T> rate;
    Stepwise<T> beta1;
    Stepwise<T> beta2;
    Stepwise<T> epsilon;
};

template <class T, bool isPower>
struct SignTraining {
    SignTraining(const KernelContext& /*context*/, std::span<const Stepwise<T>> numbers)
        : lr(numbers[0])
        , base(numbers[1])
        , decay(numbers[2])
        , beta(numbers[3])
    {
    }
    void step(std::span<Stepwise<T>> slots, Stepwise<T> g) const
    {
        slots[1] = slots[1] * beta + g * (Stepwise<T>(1) - beta);
        const Stepwise<T> agree = signOf(g) * signOf(slots[1]);
        const Stepwise<T> scale =
            isPower ? Stepwise<T>::fromWide(std::exp((base * decay * agree).value()))
                    : base + decay * agree;
        slots[0] = slots[0] - lr * scale * g;
    }
    Stepwise<T> lr;
    Stepwise<T> base;
    Stepwise<T> decay;
    Stepwise<T> beta;
};
template <class T>
using AddSign = SignTraining<T, false>;
template <class T>
using PowerSign = SignTraining<T, true>;

template <class T>
struct Amsgrad {
    Amsgrad(const KernelContext& /*context*/, std::span<const Stepwise<T>> numbers)
        : alpha(numbers[2] * rootOf(Stepwise<T>(1) - numbers[1]) / (Stepwise<T>(1) - numbers[0]))
        , beta1(numbers[3])
        , beta2(numbers[4])
        , epsilon(numbers[5])
    {
    }
    void step(std::span<Stepwise<T>> slots, Stepwise<T> g) const
    {
        slots[1] = fadedMean(slots[1], g, beta1);
        slots[2] = fadedMean(slots[2], squareOf(g), beta2);
        slots[3] = std::max(slots[3], slots[2]);
        slots[0] = slots[0] - slots[1] * alpha / (rootOf(slots[3]) + epsilon);
    }
    Stepwise<T> alpha;
    Stepwise<T> beta1;
    Stepwise<T> beta2;
    Stepwise<T> epsilon;
};

} // namespace

LAPIDARY_KERNEL(ApplyAdaMax, runTraining<AdaMax>);
LAPIDARY_KERNEL(ApplyAddSign, runTraining<AddSign>);
LAPIDARY_KERNEL(ApplyPowerSign, runTraining<PowerSign>);
LAPIDARY_KERNEL(ResourceApplyAdaMax, runTraining<AdaMax>);
LAPIDARY_KERNEL(ResourceApplyAdamWithAmsgrad, runTraining<Amsgrad>);
LAPIDARY_KERNEL(ResourceApplyAddSign, runTraining<AddSign>);
LAPIDARY_KERNEL(ResourceApplyPowerSign, runTraining<PowerSign>);

} // namespace lapidary
