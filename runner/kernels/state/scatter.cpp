// SPDX-License-Identifier: Apache-2.0
// ScatterUpdate, Add, Sub, Mul, Div, Min, Max and their resource forms: row indices[k] of a
// variable is replaced by, or combined with, row k of `updates` (or one scalar for all).
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/state/variable.h"

#include <algorithm>

namespace lapidary {
namespace {

enum class Change { Update, Add, Sub, Mul, Div, Min, Max };

template <Change change, class W>
W changed(W old, W by)
{
    if constexpr (change == Change::Add)
        return wrapping::add(old, by);
    else if constexpr (change == Change::Sub)
        return wrapping::sub(old, by);
    else if constexpr (change == Change::Mul)
        return wrapping::mul(old, by);
    else if constexpr (change == Change::Min)
        return by < old ? by : old;
    else if constexpr (change == Change::Max)
        return by > old ? by : old;
    else if constexpr (change == Change::Div && std::is_signed_v<W> && std::is_integral_v<W>)
        return by == W(-1) ? wrapping::sub(W(0), old) : W(old / by);
    else if constexpr (change == Change::Div)
        return W(old / by);
    else
        return by;
}

Status checkShapes(const KernelContext& context, const Value& variable)
{
    const Value& indices = context.input(1);
    const Value& updates = context.input(2);
    if (variable.isScalar())
        return context.error("its variable is a scalar, which has no rows");
    if (updates.dtype() != variable.dtype())
        return context.error("updates are " + dtypeName(updates.dtype()) + " but the variable is " +
                             dtypeName(variable.dtype()));
    Dims wanted = indices.dims();
    wanted.insert(wanted.end(), variable.dims().begin() + 1, variable.dims().end());
    if (!updates.isScalar() && updates.dims() != wanted)
        return context.error("updates must have shape " + dimsText(wanted) + ", but they have " +
                             dimsText(updates.dims()));
    const std::vector<std::int64_t> rows = indices.integers();
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (rows[k] < 0 || rows[k] >= variable.dim(0))
            return context.error("indices[" + std::to_string(k) + "] = " + std::to_string(rows[k]) +
                                 " is not in [0, " + std::to_string(variable.dim(0)) + ")");
    return Done{};
}

template <class T>
bool hasZero(std::span<const T> values)
{
    if constexpr (std::is_integral_v<T>)
        return std::ranges::find(values, T(0)) != values.end();
    else
        return false;
}

template <Change change, class T>
void scatterRows(std::span<T> to, std::span<const T> from, std::span<const std::int64_t> rows,
                 std::size_t length)
{
    const bool isScalar = from.size() == 1 && rows.size() * length != 1;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::size_t begin = std::size_t(rows[k]) * length;
        for (std::size_t i = 0; i < length; ++i) {
            const T& by = from[isScalar ? 0 : k * length + i];
            if constexpr (change == Change::Update)
                to[begin + i] = by;
            else
                to[begin + i] = T(changed<change>(wide(to[begin + i]), wide(by)));
        }
    }
}

template <Change change>
using TypesOf = std::conditional_t<change == Change::Min || change == Change::Max, Reals, Numbers>;

// Changes `value` in place.
template <Change change>
Status scatterInto(KernelContext& context, Value& value)
{
    const std::vector<std::int64_t> rows = context.input(1).integers();
    const Value& updates = context.input(2);
    const auto length =
        value.dim(0) == 0 ? std::size_t(0) : std::size_t(value.elements() / value.dim(0));
    if constexpr (change == Change::Update) {
        if (value.dtype() == DType::String) {
            scatterRows<change, std::string>(value.mutableStrings(), updates.strings(), rows,
                                             length);
            return Done{};
        }
        if (value.dtype() == DType::Bool) {
            scatterRows<change>(value.mutableAs<bool>(), updates.as<bool>(), rows, length);
            return Done{};
        }
    }
    bool dividesByZero = false;
    const bool known = dispatch(TypesOf<change>(), value.dtype(), [&](auto zero) {
        using T = decltype(zero);
        dividesByZero = change == Change::Div && hasZero(updates.as<T>());
        if (!dividesByZero)
            scatterRows<change>(value.mutableAs<T>(), updates.as<T>(), rows, length);
    });
    if (dividesByZero)
        return context.error("an integer division by zero");
    return known ? Status(Done{})
                 : Status(context.error("has no kernel for " + dtypeName(value.dtype())));
}

template <Change change>
Status runScatter(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto variable, initializedInput(context, 0));
    RETURN_IF_ERROR(checkShapes(context, variable->value()));
    ASSIGN_OR_RETURN(auto taken, variable->take(context));
    Value value = std::move(taken);
    const Status status = scatterInto<change>(context, value);
    variable->set(std::move(value));
    if (!status || context.outputCount() == 0)
        return status;
    return context.setOutput(0, context.input(0));
}

} // namespace

LAPIDARY_KERNEL(ScatterUpdate, runScatter<Change::Update>);
LAPIDARY_KERNEL(ScatterAdd, runScatter<Change::Add>);
LAPIDARY_KERNEL(ScatterSub, runScatter<Change::Sub>);
LAPIDARY_KERNEL(ScatterMul, runScatter<Change::Mul>);
LAPIDARY_KERNEL(ScatterDiv, runScatter<Change::Div>);
LAPIDARY_KERNEL(ScatterMin, runScatter<Change::Min>);
LAPIDARY_KERNEL(ScatterMax, runScatter<Change::Max>);
LAPIDARY_KERNEL(ResourceScatterUpdate, runScatter<Change::Update>);
LAPIDARY_KERNEL(ResourceScatterAdd, runScatter<Change::Add>);
LAPIDARY_KERNEL(ResourceScatterSub, runScatter<Change::Sub>);
LAPIDARY_KERNEL(ResourceScatterMul, runScatter<Change::Mul>);
LAPIDARY_KERNEL(ResourceScatterDiv, runScatter<Change::Div>);
LAPIDARY_KERNEL(ResourceScatterMin, runScatter<Change::Min>);
LAPIDARY_KERNEL(ResourceScatterMax, runScatter<Change::Max>);

} // namespace lapidary
