// SPDX-License-Identifier: Apache-2.0
// Follow the regularized leader (McMahan et al.), dense and for rows, where g is the gradient:
//   A = accum + g g
//   linear += g - (A^-power - accum^-power) / lr variable
//   variable = |linear| > l1 ? (sign(linear) l1 - linear) / (A^-power / lr + 2 l2) : 0
// V2 adds 2 shrinkage variable to the g of the second line.
#include "runner/kernels/state/optimizer.h"

namespace lapidary {
namespace {

template <class T>
struct Ftrl {
    Ftrl(const KernelContext& /*context*/, std::span<const Stepwise<T>> numbers)
        : lr(numbers[0])
        , l1(numbers[1])
        , l2(numbers[2])
        , shrinkage(numbers.size() > 4 ? numbers[3] : Stepwise<T>(0))
        , power(numbers.back())
        , hasShrinkage(numbers.size() > 4)
    {
    }
    void step(std::span<Stepwise<T>> slots, Stepwise<T> g) const
    {
        const Stepwise<T> two(2);
        const Stepwise<T> pull = hasShrinkage ? g + two * shrinkage * slots[0] : g;
        const Stepwise<T> sum = slots[1] + squareOf(g);
        const Stepwise<T> grown = raised(sum);
        slots[2] = slots[2] + pull - (grown - raised(slots[1])) / lr * slots[0];
        slots[1] = sum;
        const Stepwise<T> linear = slots[2];
        slots[0] = sizeOf(linear) > l1 ? (l1 * signOf(linear) - linear) / (grown / lr + two * l2)
                                       : Stepwise<T>(0);
    }
    Stepwise<T> raised(Stepwise<T> x) const
    {
        return power == Stepwise<T>(-0.5) ? rootOf(x) : powerOf(x, Stepwise<T>(0) - power);
    }
    Stepwise<T> lr;
    Stepwise<T> l1;
    Stepwise<T> l2;
    Stepwise<T> shrinkage;
    Stepwise<T> power;
    bool hasShrinkage;
};

} // namespace

LAPIDARY_KERNEL(ApplyFtrl, runTraining<Ftrl>);
LAPIDARY_KERNEL(ApplyFtrlV2, runTraining<Ftrl>);
LAPIDARY_KERNEL(ResourceApplyFtrl, runTraining<Ftrl>);
LAPIDARY_KERNEL(ResourceApplyFtrlV2, runTraining<Ftrl>);
LAPIDARY_KERNEL(ResourceSparseApplyFtrl, runTraining<Ftrl>);
LAPIDARY_KERNEL(ResourceSparseApplyFtrlV2, runTraining<Ftrl>);
LAPIDARY_KERNEL(SparseApplyFtrl, runTraining<Ftrl>);
LAPIDARY_KERNEL(SparseApplyFtrlV2, runTraining<Ftrl>);

} // namespace lapidary
