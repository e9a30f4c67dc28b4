// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/rounded.h"
#include "runner/kernels/state/variable.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lapidary {

// A number of a formula whose steps are each rounded to T, the type of a variable's elements.
template <class T>
class Stepwise {
public:
    using W = decltype(wide(T()));

    Stepwise() = default;
    explicit Stepwise(double x)
        : m_value(rounded<T>(W(x)))
    {
    }
    static Stepwise of(T x) { return fromWide(wide(x)); }
    static Stepwise fromWide(W x)
    {
        Stepwise made;
        made.m_value = rounded<T>(x);
        return made;
    }

    T stored() const { return T(m_value); }
    W value() const { return m_value; }
    friend Stepwise operator+(Stepwise a, Stepwise b) { return fromWide(a.m_value + b.m_value); }
    friend Stepwise operator-(Stepwise a, Stepwise b) { return fromWide(a.m_value - b.m_value); }
    friend Stepwise operator*(Stepwise a, Stepwise b) { return fromWide(a.m_value * b.m_value); }
    friend Stepwise operator/(Stepwise a, Stepwise b) { return fromWide(a.m_value / b.m_value); }
    friend bool operator==(Stepwise a, Stepwise b) { return a.m_value == b.m_value; }
    friend auto operator<=>(Stepwise a, Stepwise b) { return a.m_value <=> b.m_value; }

private:
    W m_value = 0;
};

template <class T>
Stepwise<T> squareOf(Stepwise<T> x)
{
    return x * x;
}
template <class T>
Stepwise<T> rootOf(Stepwise<T> x)
{
    return Stepwise<T>::fromWide(std::sqrt(x.value()));
}
template <class T>
Stepwise<T> powerOf(Stepwise<T> x, Stepwise<T> exponent)
{
    return Stepwise<T>::fromWide(std::pow(x.value(), exponent.value()));
}
template <class T>
Stepwise<T> sizeOf(Stepwise<T> x)
{
    return Stepwise<T>::fromWide(std::abs(x.value()));
}
// Returns -1, 0 or 1; NaN for NaN.
template <class T>
Stepwise<T> signOf(Stepwise<T> x)
{
    using W = typename Stepwise<T>::W;
    const W value = x.value();
    return Stepwise<T>::fromWide(value > 0 ? W(1) : value < 0 ? W(-1) : value);
}

// The roles of an op's inputs in training, from its definition: variables first, and among the
// others the gradient (grad, delta), the rows that it is for (indices) and single numbers.
struct TrainingInputs {
    std::vector<std::size_t> variables;
    std::vector<std::size_t> numbers;
    std::size_t gradient = 0;
    std::optional<std::size_t> rows;
};
Result<TrainingInputs> trainingInputs(const KernelContext& context);

// The values of the variables that one step of training writes: the trained one and its slots. The
// destructor returns the values to the variables, also after an error.
class TrainedVariables {
public:
    // Fails if a variable has no value, if their shapes or types differ from the first one's, or if
    // the gradient does not fit.
    static Result<TrainedVariables> take(KernelContext& context, const TrainingInputs& inputs);
    TrainedVariables(TrainedVariables&&) = default;
    TrainedVariables& operator=(TrainedVariables&&) = delete;
    TrainedVariables(const TrainedVariables&) = delete;
    TrainedVariables& operator=(const TrainedVariables&) = delete;
    ~TrainedVariables();

    DType dtype() const { return m_values[0].dtype(); }
    std::size_t count() const { return m_values.size(); }
    std::int64_t elements() const { return m_values[0].elements(); }
    const Dims& dims() const { return m_values[0].dims(); }
    // Returns the value of slot i; several slots may have the same variable.
    Value& value(std::size_t i) { return m_values[m_slots[i]]; }
    std::size_t slots() const { return m_slots.size(); }

private:
    TrainedVariables() = default;

    std::vector<std::shared_ptr<Variable>> m_variables; // without repetition
    std::vector<Value> m_values;
    std::vector<std::size_t> m_slots;
};

// Returns the checked rows of the variable that the gradient is for; empty for a dense gradient.
Result<std::vector<std::int64_t>> trainedRows(const KernelContext& context,
                                              const TrainingInputs& inputs, const Dims& variable);

// `count` elements that are trained: from `from` on in the gradient, from `to` on in the variables.
struct TrainedPiece {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t count = 0;
};

inline constexpr std::size_t mostTrainedSlots = 4;

template <class T, class Formula>
void trainPiece(TrainedVariables& variables, const Value& gradient, const Formula& formula,
                const TrainedPiece& piece)
{
    std::array<T*, mostTrainedSlots> slots{};
    for (std::size_t i = 0; i < variables.slots(); ++i)
        slots[i] = variables.value(i).template mutableAs<T>().data() + piece.to;
    const T* const grad = gradient.as<T>().data() + piece.from;
    std::array<Stepwise<T>, mostTrainedSlots> held;
    for (std::int64_t at = 0; at < piece.count; ++at) {
        for (std::size_t i = 0; i < variables.slots(); ++i)
            held[i] = Stepwise<T>::of(slots[i][at]);
        formula.step(std::span<Stepwise<T>>(held), Stepwise<T>::of(grad[at]));
        for (std::size_t i = variables.slots(); i-- > 0;)
            slots[i][at] = held[i].stored();
    }
}

// Runs one step of training: Formula<T>(context, numbers).step(slots, gradient) for each element,
// where slots[0] is of the trained variable and the others are of those beside it. A sparse
// gradient is applied row by row.
template <template <class> class Formula>
Status runTraining(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto inputs, trainingInputs(context));
    ASSIGN_OR_RETURN(auto variables, TrainedVariables::take(context, inputs));
    ASSIGN_OR_RETURN(const auto rows, trainedRows(context, inputs, variables.dims()));
    const Value& gradient = context.input(inputs.gradient);
    const std::int64_t pieces = inputs.rows ? std::int64_t(rows.size()) : 1;
    const std::int64_t each = pieces == 0 ? 0 : gradient.elements() / pieces;
    constexpr std::int64_t most = 4096; // elements between two checks for a cancelled job
    const bool known = dispatch(RealFloats(), variables.dtype(), [&](auto zero) {
        using T = decltype(zero);
        std::vector<Stepwise<T>> numbers;
        for (const std::size_t i : inputs.numbers)
            numbers.push_back(context.input(i).dtype() == dtypeOf<T>()
                                  ? Stepwise<T>::of(context.input(i).as<T>()[0])
                                  : Stepwise<T>(double(context.input(i).integers()[0])));
        const Formula<T> formula(context, std::span<const Stepwise<T>>(numbers));
        for (std::int64_t piece = 0; piece < pieces; ++piece)
            for (std::int64_t at = 0; at < each && !context.job().cancelled(); at += most)
                trainPiece<T>(variables, gradient, formula,
                              {.from = piece * each + at,
                               .to = (inputs.rows ? rows[std::size_t(piece)] * each : 0) + at,
                               .count = std::min(most, each - at)});
    });
    if (context.job().cancelled())
        return cancelledError();
    if (!known)
        return context.error("has no kernel for " + dtypeName(variables.dtype()));
    return context.outputCount() > 0 ? context.setOutput(0, context.input(0)) : Done{};
}

} // namespace lapidary
