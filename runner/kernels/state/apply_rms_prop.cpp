// SPDX-License-Identifier: Apache-2.0
// RMSProp (Tieleman, Hinton), dense and for rows, where g is the gradient:
//   s += (1 - rho) (g g - s)
//   mom = momentum mom + lr g / sqrt(s + epsilon);  variable -= mom
// CenteredRMSProp has mean += (1 - rho) (g - mean) too, and s - mean mean instead of s.
#include "runner/kernels/state/optimizer.h"

namespace lapidary {
namespace {

// The inputs of both ops, in this order.
template <class T>
struct RmsNumbers {
    explicit RmsNumbers(std::span<const Stepwise<T>> numbers)
        : lr(numbers[0])
        , rho(numbers[1])
        , momentum(numbers[2])
        , epsilon(numbers[3])
    {
    }
    Stepwise<T> faded(Stepwise<T> mean, Stepwise<T> fresh) const
    {
        return mean + (fresh - mean) * (Stepwise<T>(1) - rho);
    }
    void move(Stepwise<T>& variable, Stepwise<T>& mom, Stepwise<T> g, Stepwise<T> spread) const
    {
        mom = mom * momentum + g * lr / rootOf(spread);
        variable = variable - mom;
    }
    Stepwise<T> lr;
    Stepwise<T> rho;
    Stepwise<T> momentum;
    Stepwise<T> epsilon;
};

template <class T>
struct RmsProp {
    RmsProp(const KernelContext& /*context*/, std::span<const Stepwise<T>> numbers)
        : by(numbers)
    {
    }
    void step(std::span<Stepwise<T>> slots, Stepwise<T> g) const
    {
        slots[1] = by.faded(slots[1], squareOf(g));
        by.move(slots[0], slots[2], g, slots[1] + by.epsilon);
    }
    RmsNumbers<T> by;
};

template <class T>
struct CenteredRmsProp {
    CenteredRmsProp(const KernelContext& /*context*/, std::span<const Stepwise<T>> numbers)
        : by(numbers)
    {
    }
    void step(std::span<Stepwise<T>> slots, Stepwise<T> g) const
    {
        slots[2] = by.faded(slots[2], squareOf(g));
        slots[1] = by.faded(slots[1], g);
        by.move(slots[0], slots[3], g, slots[2] - squareOf(slots[1]) + by.epsilon);
    }
    RmsNumbers<T> by;
};

} // namespace

LAPIDARY_KERNEL(ApplyCenteredRMSProp, runTraining<CenteredRmsProp>);
LAPIDARY_KERNEL(ApplyRMSProp, runTraining<RmsProp>);
LAPIDARY_KERNEL(ResourceApplyCenteredRMSProp, runTraining<CenteredRmsProp>);
LAPIDARY_KERNEL(ResourceApplyRMSProp, runTraining<RmsProp>);
LAPIDARY_KERNEL(ResourceSparseApplyCenteredRMSProp, runTraining<CenteredRmsProp>);
LAPIDARY_KERNEL(ResourceSparseApplyRMSProp, runTraining<RmsProp>);
LAPIDARY_KERNEL(SparseApplyCenteredRMSProp, runTraining<CenteredRmsProp>);
LAPIDARY_KERNEL(SparseApplyRMSProp, runTraining<RmsProp>);

} // namespace lapidary
