// SPDX-License-Identifier: Apache-2.0
// Training whose rate falls with the squares of earlier gradients, dense and for rows, where g is
// the gradient:
//   Adagrad:    accum += g g;  variable -= lr g / sqrt(accum)
//   AdagradV2:  accum += g g;  variable -= lr g / (sqrt(accum) + epsilon)
//   AdagradDA:  G += g;  S += g g;  variable = -lr shrunk(G, l1 t) / (l2 t lr + sqrt(S)), step t
//   Adadelta:   accum = rho accum + (1 - rho) g g
//               u = g sqrt(updates + epsilon) / sqrt(accum + epsilon);  variable -= lr u
//               updates = rho updates + (1 - rho) u u
//   ProximalGradientDescent: p = variable - lr g;  variable = shrunk(p, lr l1) / (1 + l2 lr)
//   ProximalAdagrad: the same with lr / sqrt(accum)
// shrunk(x, d) is x moved towards 0 by d, at most to 0.
#include "runner/kernels/state/optimizer.h"

namespace lapidary {
namespace {

template <class T>
using Slots = std::span<Stepwise<T>>;
template <class T>
using TrainingNumbers = std::span<const Stepwise<T>>;

template <class T>
Stepwise<T> inverseRoot(Stepwise<T> x)
{
    return Stepwise<T>(1) / rootOf(x);
}

template <class T>
Stepwise<T> shrunk(Stepwise<T> x, Stepwise<T> by)
{
    const Stepwise<T> rest = sizeOf(x) - by;
    return signOf(x) * (rest > Stepwise<T>(0) ? rest : Stepwise<T>(0));
}

template <class T>
struct Adagrad {
    Adagrad(const KernelContext& context, TrainingNumbers<T> numbers)
        : lr(numbers[0])
        , isUpdated(context.boolAttr("update_slots", true))
    {
    }
    void step(Slots<T> slots, Stepwise<T> g) const
    {
        if (isUpdated)
            slots[1] = slots[1] + squareOf(g);
        slots[0] = slots[0] - g * lr * inverseRoot(slots[1]);
    }
    Stepwise<T> lr;
    bool isUpdated;
};

template <class T>
struct AdagradV2 {
    AdagradV2(const KernelContext& context, TrainingNumbers<T> numbers)
        : lr(numbers[0])
        , epsilon(numbers[1])
        , isUpdated(context.boolAttr("update_slots", true))
    {
    }
    void step(Slots<T> slots, Stepwise<T> g) const
    {
        if (isUpdated)
            slots[1] = slots[1] + squareOf(g);
        slots[0] = slots[0] - g * lr / (rootOf(slots[1]) + epsilon);
    }
    Stepwise<T> lr;
    Stepwise<T> epsilon;
    bool isUpdated;
};

template <class T>
struct AdagradDA {
    AdagradDA(const KernelContext& /*context*/, TrainingNumbers<T> numbers)
        : lr(numbers[0])
        , l1(numbers[1])
        , l2(numbers[2])
        , steps(numbers[3])
    {
    }
    void step(Slots<T> slots, Stepwise<T> g) const
    {
        slots[1] = slots[1] + g;
        slots[2] = slots[2] + squareOf(g);
        const Stepwise<T> pull = l1 > Stepwise<T>(0) ? shrunk(slots[1], l1 * steps) : slots[1];
        slots[0] = Stepwise<T>(-1) * lr * pull / (l2 * steps * lr + rootOf(slots[2]));
    }
    Stepwise<T> lr;
    Stepwise<T> l1;
    Stepwise<T> l2;
    Stepwise<T> steps;
};

template <class T>
struct Adadelta {
    Adadelta(const KernelContext& /*context*/, TrainingNumbers<T> numbers)
        : lr(numbers[0])
        , rho(numbers[1])
        , epsilon(numbers[2])
    {
    }
    void step(Slots<T> slots, Stepwise<T> g) const
    {
        const Stepwise<T> fresh = Stepwise<T>(1) - rho;
        slots[1] = slots[1] * rho + squareOf(g) * fresh;
        const Stepwise<T> update = rootOf(slots[2] + epsilon) * inverseRoot(slots[1] + epsilon) * g;
        slots[0] = slots[0] - update * lr;
        slots[2] = slots[2] * rho + squareOf(update) * fresh;
    }
    Stepwise<T> lr;
    Stepwise<T> rho;
    Stepwise<T> epsilon;
};

// Returns the variable after a proximal step with both penalties.
template <class T>
Stepwise<T> proximal(Stepwise<T> variable, Stepwise<T> g, Stepwise<T> rate,
                     std::span<const Stepwise<T>> penalties)
{
    const Stepwise<T> zero(0);
    const Stepwise<T> moved = variable - g * rate;
    const Stepwise<T> pulled = penalties[0] > zero ? shrunk(moved, rate * penalties[0]) : moved;
    return pulled / (Stepwise<T>(1) + penalties[1] * rate);
}

template <class T>
struct ProximalGradientDescent {
    ProximalGradientDescent(const KernelContext& /*context*/, TrainingNumbers<T> numbers)
        : numbers(numbers.begin(), numbers.end())
    {
    }
    void step(Slots<T> slots, Stepwise<T> g) const
    {
        slots[0] = proximal(slots[0], g, numbers[0], std::span(numbers).subspan(1));
    }
    std::vector<Stepwise<T>> numbers;
};

template <class T>
struct ProximalAdagrad {
    ProximalAdagrad(const KernelContext& /*context*/, TrainingNumbers<T> numbers)
        : numbers(numbers.begin(), numbers.end())
    {
    }
    void step(Slots<T> slots, Stepwise<T> g) const
    {
        slots[1] = slots[1] + squareOf(g);
        const Stepwise<T> rate = inverseRoot(slots[1]) * numbers[0];
        slots[0] = proximal(slots[0], g, rate, std::span(numbers).subspan(1));
    }
    std::vector<Stepwise<T>> numbers;
};

} // namespace

LAPIDARY_KERNEL(ApplyAdadelta, runTraining<Adadelta>);
LAPIDARY_KERNEL(ApplyAdagrad, runTraining<Adagrad>);
LAPIDARY_KERNEL(ApplyAdagradDA, runTraining<AdagradDA>);
LAPIDARY_KERNEL(ApplyAdagradV2, runTraining<AdagradV2>);
LAPIDARY_KERNEL(ApplyProximalAdagrad, runTraining<ProximalAdagrad>);
LAPIDARY_KERNEL(ApplyProximalGradientDescent, runTraining<ProximalGradientDescent>);
LAPIDARY_KERNEL(ResourceApplyAdadelta, runTraining<Adadelta>);
LAPIDARY_KERNEL(ResourceApplyAdagrad, runTraining<Adagrad>);
LAPIDARY_KERNEL(ResourceApplyAdagradDA, runTraining<AdagradDA>);
LAPIDARY_KERNEL(ResourceApplyAdagradV2, runTraining<AdagradV2>);
LAPIDARY_KERNEL(ResourceApplyProximalAdagrad, runTraining<ProximalAdagrad>);
LAPIDARY_KERNEL(ResourceApplyProximalGradientDescent, runTraining<ProximalGradientDescent>);
LAPIDARY_KERNEL(ResourceSparseApplyAdadelta, runTraining<Adadelta>);
LAPIDARY_KERNEL(ResourceSparseApplyAdagrad, runTraining<Adagrad>);
LAPIDARY_KERNEL(ResourceSparseApplyAdagradDA, runTraining<AdagradDA>);
LAPIDARY_KERNEL(ResourceSparseApplyAdagradV2, runTraining<AdagradV2>);
LAPIDARY_KERNEL(ResourceSparseApplyProximalAdagrad, runTraining<ProximalAdagrad>);
LAPIDARY_KERNEL(ResourceSparseApplyProximalGradientDescent, runTraining<ProximalGradientDescent>);
LAPIDARY_KERNEL(SparseApplyAdadelta, runTraining<Adadelta>);
LAPIDARY_KERNEL(SparseApplyAdagrad, runTraining<Adagrad>);
LAPIDARY_KERNEL(SparseApplyAdagradDA, runTraining<AdagradDA>);
LAPIDARY_KERNEL(SparseApplyAdagradV2, runTraining<AdagradV2>);
LAPIDARY_KERNEL(SparseApplyProximalAdagrad, runTraining<ProximalAdagrad>);
LAPIDARY_KERNEL(SparseApplyProximalGradientDescent, runTraining<ProximalGradientDescent>);

} // namespace lapidary
