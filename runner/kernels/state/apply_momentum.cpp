// SPDX-License-Identifier: Apache-2.0
// ApplyMomentum and its resource form, where g is the gradient:
//   accum = accum momentum + g
//   variable -= accum lr;   with use_nesterov: variable -= g lr + accum momentum lr
// Sparse forms do so for the rows that have a gradient. ResourceApplyKerasMomentum has the rate in
// the accumulator:
//   accum = accum momentum - g lr
//   variable += accum;      with use_nesterov: variable += accum momentum - g lr
#include "runner/kernels/kernel.h"
#include "runner/kernels/rounded.h"
#include "runner/kernels/state/optimizer.h"
#include "runner/kernels/state/variable.h"

#include <span>

namespace lapidary {
namespace {

// The inputs; the momentum is the last one.
enum MomentumInput : std::size_t { Trained, Accum, Rate, Gradient };

// The numbers of one step, with the names in the formulas above.
template <class T>
struct MomentumStep {
    using W = decltype(wide(T()));

    explicit MomentumStep(const KernelContext& context)
        : lr(wide(context.input(Rate).as<T>()[0]))
        , momentum(wide(context.input(context.inputCount() - 1).as<T>()[0]))
        , isNesterov(context.boolAttr("use_nesterov"))
    {
    }

    W lr;
    W momentum;
    bool isNesterov;
};

struct PlainMomentum {
    template <class T>
    static T accumulated(const MomentumStep<T>& by, T accum, T g)
    {
        return T(rounded<T>(wide(accum) * by.momentum) + wide(g));
    }
    template <class T>
    static T moved(const MomentumStep<T>& by, T variable, T accum, T g)
    {
        if (!by.isNesterov)
            return T(wide(variable) - rounded<T>(wide(accum) * by.lr));
        const auto ahead = rounded<T>(rounded<T>(wide(accum) * by.momentum) * by.lr);
        return T(wide(variable) - rounded<T>(rounded<T>(wide(g) * by.lr) + ahead));
    }
};

struct KerasMomentum {
    template <class T>
    static T accumulated(const MomentumStep<T>& by, T accum, T g)
    {
        return T(rounded<T>(wide(accum) * by.momentum) - rounded<T>(wide(g) * by.lr));
    }
    template <class T>
    static T moved(const MomentumStep<T>& by, T variable, T accum, T g)
    {
        return T(wide(variable) + (by.isNesterov ? wide(accumulated(by, accum, g)) : wide(accum)));
    }
};

template <class Formula>
Status runMomentum(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto variable, initializedInput(context, Trained));
    ASSIGN_OR_RETURN(const auto accum, initializedInput(context, Accum));
    const Value& grad = context.input(Gradient);
    for (const auto& each : {variable, accum})
        RETURN_IF_ERROR(checkChange(context, *each, grad));
    const Status summed =
        changeInPlace(context, RealFloats(), *accum, [&]<class T>(std::span<T> to) {
            const MomentumStep<T> by(context);
            const auto g = grad.as<T>();
            for (std::size_t i = 0; i < to.size(); ++i)
                to[i] = Formula::accumulated(by, to[i], g[i]);
        });
    RETURN_IF_ERROR(summed);
    const Value sums = accum->value();
    return changeInPlace(context, RealFloats(), *variable, [&]<class T>(std::span<T> to) {
        const MomentumStep<T> by(context);
        const auto g = grad.as<T>();
        const auto sum = sums.as<T>();
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = Formula::moved(by, to[i], sum[i], g[i]);
    });
}

// The momentum formula for rows.
template <class T, class Formula>
struct MomentumOfRows {
    MomentumOfRows(const KernelContext& context, std::span<const Stepwise<T>> /*numbers*/)
        : by(context)
    {
    }
    void step(std::span<Stepwise<T>> slots, Stepwise<T> g) const
    {
        const T accum = Formula::accumulated(by, slots[1].stored(), g.stored());
        slots[1] = Stepwise<T>::of(accum);
        slots[0] = Stepwise<T>::of(Formula::moved(by, slots[0].stored(), accum, g.stored()));
    }
    MomentumStep<T> by;
};
template <class T>
using PlainRows = MomentumOfRows<T, PlainMomentum>;
template <class T>
using KerasRows = MomentumOfRows<T, KerasMomentum>;

} // namespace

LAPIDARY_KERNEL(ApplyMomentum, runMomentum<PlainMomentum>,
                .ranks = {Rank::Any, Rank::Any, Rank::Scalar, Rank::Any, Rank::Scalar});
LAPIDARY_KERNEL(ResourceApplyMomentum, runMomentum<PlainMomentum>,
                .ranks = {Rank::Any, Rank::Any, Rank::Scalar, Rank::Any, Rank::Scalar});
LAPIDARY_KERNEL(ResourceSparseApplyKerasMomentum, runTraining<KerasRows>);
LAPIDARY_KERNEL(ResourceSparseApplyMomentum, runTraining<PlainRows>);
LAPIDARY_KERNEL(SparseApplyMomentum, runTraining<PlainRows>);
LAPIDARY_KERNEL(ResourceApplyKerasMomentum, runMomentum<KerasMomentum>,
                .ranks = {Rank::Any, Rank::Any, Rank::Scalar, Rank::Any, Rank::Scalar});

} // namespace lapidary
