// SPDX-License-Identifier: Apache-2.0
// RaggedRange: one row of numbers from `starts` up to `limits` in steps of `deltas` for each
// element; scalars apply to all rows. The rows follow one another; the splits are the indices at
// which they begin.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::int64_t mostValues = std::int64_t(1) << 40; // beyond any memory

// Returns the length of a row: ceil((limit - start) / delta), or 0 if delta leads away from limit.
template <class T>
std::int64_t rowLength(T start, T limit, T delta)
{
    if ((delta > T(0) && !(limit > start)) || (delta < T(0) && !(limit < start)))
        return 0;
    if constexpr (std::is_integral_v<T>) {
        const auto distance = limit > start ? std::uint64_t(limit) - std::uint64_t(start)
                                            : std::uint64_t(start) - std::uint64_t(limit);
        const auto step = delta > 0 ? std::uint64_t(delta) : 0 - std::uint64_t(delta);
        const std::uint64_t rows = distance / step + (distance % step != 0 ? 1 : 0);
        return std::int64_t(std::min(rows, std::uint64_t(mostValues)));
    } else {
        const double length = std::ceil(std::abs(double((limit - start) / delta)));
        return length < double(mostValues) ? std::int64_t(length) : mostValues;
    }
}

// Returns the number of rows, the size of all inputs that are vectors; -1 if their sizes differ.
std::int64_t rowCount(const KernelContext& context)
{
    std::int64_t rows = -1;
    for (std::size_t i = 0; i < 3; ++i) {
        const Value& input = context.input(i);
        if (input.isScalar())
            continue;
        if (rows >= 0 && rows != input.elements())
            return -1;
        rows = input.elements();
    }
    return rows < 0 ? 1 : rows;
}

template <class T, class Split>
Status fillRows(KernelContext& context, std::int64_t rows, std::span<Split> splits)
{
    const auto at = [&](std::size_t input, std::int64_t row) {
        const auto all = context.input(input).as<T>();
        return all[context.input(input).isScalar() ? 0 : std::size_t(row)];
    };
    std::int64_t sum = 0;
    splits[0] = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        if (at(2, row) == T(0))
            return context.error("deltas must not be 0, but that of row " + std::to_string(row) +
                                 " is");
        sum = std::min(sum + rowLength<T>(at(0, row), at(1, row), at(2, row)), mostValues);
        if (sum > std::int64_t(std::numeric_limits<Split>::max()))
            return context.error("the rows have too many elements for " +
                                 dtypeName(dtypeOf<Split>()) + " splits");
        splits[std::size_t(row) + 1] = Split(sum);
    }
    ASSIGN_OR_RETURN(auto values, context.makeOutput(1, dtypeOf<T>(), {sum}));
    const auto to = values.template mutableAs<T>();
    for (std::int64_t row = 0; row < rows; ++row) {
        if (context.job().cancelled())
            return cancelledError();
        T value = at(0, row);
        for (auto i = std::size_t(splits[std::size_t(row)]);
             i < std::size_t(splits[std::size_t(row) + 1]); ++i) {
            to[i] = value;
            if constexpr (std::is_integral_v<T>)
                value = T(std::make_unsigned_t<T>(value) + std::make_unsigned_t<T>(at(2, row)));
            else
                value += at(2, row);
        }
    }
    return Done{};
}

Status runRaggedRange(KernelContext& context)
{
    for (std::size_t i = 0; i < 3; ++i)
        if (context.input(i).rank() > 1)
            return context.error(
                "starts, limits and deltas must be scalars or vectors, but input " +
                std::to_string(i) + " has shape " + dimsText(context.input(i).dims()));
    const std::int64_t rows = rowCount(context);
    if (rows < 0)
        return context.error("starts, limits and deltas must have one size where they are vectors");
    const DType splitType = context.typeAttr("Tsplits", DType::Int64);
    ASSIGN_OR_RETURN(auto splits, context.makeOutput(0, splitType, {rows + 1}));
    Status status = Done{};
    const bool known = dispatch(
        TypeList<float, double, std::int32_t, std::int64_t>(), context.input(0).dtype(),
        [&](auto zero) {
            using T = decltype(zero);
            status = splitType == DType::Int32
                         ? fillRows<T>(context, rows, splits.template mutableAs<std::int32_t>())
                         : fillRows<T>(context, rows, splits.template mutableAs<std::int64_t>());
        });
    if (!known)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    return status;
}

} // namespace

LAPIDARY_KERNEL(RaggedRange, runRaggedRange);

} // namespace lapidary
