// SPDX-License-Identifier: Apache-2.0
// ApplyAdam and its resource form (Kingma and Ba, Adam), where g is the gradient and m and v are
// variables beside the one that is trained:
//   m += (g - m) (1 - beta1),   v += (g g - v) (1 - beta2)
//   variable -= (m alpha) / (sqrt(v) + epsilon)
// with alpha = lr sqrt(1 - beta2_power) / (1 - beta1_power). With use_nesterov, g (1 - beta1) +
// beta1 m replaces m in the last line.
#include "runner/kernels/kernel.h"
#include "runner/kernels/rounded.h"
#include "runner/kernels/state/variable.h"

#include <cmath>
#include <span>

namespace lapidary {
namespace {

enum AdamInput : std::size_t { Var, M, V, Beta1Power, Beta2Power, Lr, Beta1, Beta2, Epsilon, Grad };

template <class T>
auto adamNumber(const KernelContext& context, AdamInput input)
{
    return wide(context.input(input).as<T>()[0]);
}

// Computes slot += (term(g) - slot) (1 - beta): a mean in which older terms fade.
template <class Term>
Status fadeInto(KernelContext& context, Variable& slot, AdamInput beta, const Term& term)
{
    const Value& grad = context.input(Grad);
    return changeInPlace(context, RealFloats(), slot, [&]<class T>(std::span<T> to) {
        using W = decltype(wide(T()));
        const W weight = rounded<T>(W(1) - adamNumber<T>(context, beta));
        const auto g = grad.as<T>();
        for (std::size_t i = 0; i < to.size(); ++i) {
            const W change = rounded<T>(rounded<T>(term(wide(g[i]))) - wide(to[i]));
            to[i] = T(wide(to[i]) + rounded<T>(change * weight));
        }
    });
}

template <class T>
auto adamAlpha(const KernelContext& context)
{
    using W = decltype(wide(T()));
    const W root = rounded<T>(std::sqrt(rounded<T>(W(1) - adamNumber<T>(context, Beta2Power))));
    return rounded<T>(rounded<T>(adamNumber<T>(context, Lr) * root) /
                      rounded<T>(W(1) - adamNumber<T>(context, Beta1Power)));
}

// Returns the direction of the step: m, or for Nesterov's form m as the next step would have it.
template <class T>
auto directionOf(const KernelContext& context, std::span<const T> g, std::span<const T> m)
{
    using W = decltype(wide(T()));
    const bool isNesterov = context.boolAttr("use_nesterov");
    const W beta1 = adamNumber<T>(context, Beta1);
    const W weight = rounded<T>(W(1) - beta1);
    return [=](std::size_t i) {
        if (!isNesterov)
            return wide(m[i]);
        return rounded<T>(rounded<T>(wide(g[i]) * weight) + rounded<T>(beta1 * wide(m[i])));
    };
}

Status runApplyAdam(KernelContext& context)
{
    if (!context.input(Epsilon).isScalar())
        return context.error("epsilon must be a single number, but is " +
                             dimsText(context.input(Epsilon).dims()));
    ASSIGN_OR_RETURN(const auto variable, initializedInput(context, Var));
    ASSIGN_OR_RETURN(const auto m, initializedInput(context, M));
    ASSIGN_OR_RETURN(const auto v, initializedInput(context, V));
    const Value& grad = context.input(Grad);
    for (const auto& each : {variable, m, v})
        RETURN_IF_ERROR(checkChange(context, *each, grad));
    RETURN_IF_ERROR(fadeInto(context, *m, Beta1, [](auto g) { return g; }));
    RETURN_IF_ERROR(fadeInto(context, *v, Beta2, [](auto g) { return g * g; }));
    const Value mean = m->value();
    const Value square = v->value();
    return changeInPlace(context, RealFloats(), *variable, [&]<class T>(std::span<T> to) {
        const auto epsilon = adamNumber<T>(context, Epsilon);
        const auto alpha = adamAlpha<T>(context);
        const auto direction = directionOf<T>(context, grad.as<T>(), mean.as<T>());
        const auto squares = square.as<T>();
        for (std::size_t i = 0; i < to.size(); ++i) {
            const auto size = rounded<T>(rounded<T>(std::sqrt(wide(squares[i]))) + epsilon);
            to[i] = T(wide(to[i]) - rounded<T>(rounded<T>(direction(i) * alpha) / size));
        }
    });
}

} // namespace

LAPIDARY_KERNEL(ApplyAdam, runApplyAdam,
                .ranks = {Rank::Any, Rank::Any, Rank::Any, Rank::Scalar, Rank::Scalar, Rank::Scalar,
                          Rank::Scalar, Rank::Scalar});
LAPIDARY_KERNEL(ResourceApplyAdam, runApplyAdam,
                .ranks = {Rank::Any, Rank::Any, Rank::Any, Rank::Scalar, Rank::Scalar, Rank::Scalar,
                          Rank::Scalar, Rank::Scalar});

} // namespace lapidary
