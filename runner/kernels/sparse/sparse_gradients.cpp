// SPDX-License-Identifier: Apache-2.0
// Gradients of sparse ops: SparseAddGrad and SparseSliceGrad give the gradient of each entry of the
// result to the entry of the input with its index, SparseFillEmptyRowsGrad to the entry that it
// came from; the rest is the gradient of the default value.
#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/sparse/sparse_tensor.h"

#include <algorithm>

namespace lapidary {
namespace {

// The rows of a matrix of indices.
struct IndexRows {
    std::span<const std::int64_t> all;
    std::size_t rank = 0;
    std::size_t count = 0;

    std::span<const std::int64_t> row(std::size_t i) const { return all.subspan(i * rank, rank); }
};

Result<IndexRows> indexRows(const KernelContext& context, std::size_t i)
{
    const Value& matrix = context.input(i);
    if (matrix.rank() != 2)
        return context.error("its input " + std::to_string(i) +
                             " must be a matrix of indices, but is " + dimsText(matrix.dims()));
    return IndexRows{matrix.as<std::int64_t>(), std::size_t(matrix.dim(1)),
                     std::size_t(matrix.dim(0))};
}

// Gives each row of `from` the value in `back` for the row of `result` that equals it minus
// `shift`, or 0 if there is none. Both have the same order.
template <class T>
void matchRows(const IndexRows& from, const IndexRows& result, std::span<const std::int64_t> shift,
               std::span<const T> back, std::span<T> to)
{
    std::size_t at = 0;
    std::vector<std::int64_t> moved(from.rank);
    for (std::size_t i = 0; i < from.count; ++i) {
        stopPoint();
        std::ranges::copy(from.row(i), moved.begin());
        for (std::size_t axis = 0; axis < shift.size(); ++axis)
            moved[axis] = wrapping::sub(moved[axis], shift[axis]);
        while (shift.empty() && at < result.count && compareIndices(result.row(at), moved) < 0)
            ++at;
        const bool isThere = at < result.count && compareIndices(result.row(at), moved) == 0;
        to[i] = isThere ? back[at] : T(0);
        at += isThere && !shift.empty() ? 1 : 0;
    }
}

template <class Types = Numbers>
Status giveMatches(KernelContext& context, std::size_t output, const IndexRows& from,
                   const IndexRows& result, std::span<const std::int64_t> shift)
{
    const Value& back = context.input(0);
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(output, back.dtype(), {std::int64_t(from.count)}));
    const bool known = dispatch(Types(), back.dtype(), [&](auto zero) {
        using T = decltype(zero);
        matchRows<T>(from, result, shift, back.as<T>(), made.template mutableAs<T>());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(back.dtype()));
}

Status checkResult(const KernelContext& context, const IndexRows& from, const IndexRows& result)
{
    if (from.rank != result.rank)
        return context.error("indices of rank " + std::to_string(from.rank) +
                             " do not fit a result of rank " + std::to_string(result.rank));
    if (context.input(0).dim(0) != std::int64_t(result.count))
        return context.error("what comes back has " + std::to_string(context.input(0).dim(0)) +
                             " values for " + std::to_string(result.count) + " entries");
    return Done{};
}

Status runSparseAddGrad(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto result, indexRows(context, 3));
    for (std::size_t i = 1; i < 3; ++i) {
        ASSIGN_OR_RETURN(const auto from, indexRows(context, i));
        RETURN_IF_ERROR(checkResult(context, from, result));
        RETURN_IF_ERROR(giveMatches(context, i - 1, from, result, {}));
    }
    return Done{};
}

Status runSparseSliceGrad(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto from, indexRows(context, 1));
    ASSIGN_OR_RETURN(const auto result, indexRows(context, 3));
    RETURN_IF_ERROR(checkResult(context, from, result));
    const Value& start = context.input(2);
    if (start.elements() != std::int64_t(from.rank))
        return context.error("input_start must have " + std::to_string(from.rank) +
                             " elements, but its shape is " + dimsText(start.dims()));
    return giveMatches(context, 0, from, result, start.as<std::int64_t>());
}

template <class T>
bool gatherBack(std::span<const std::int64_t> map, std::span<const T> back, std::span<T> to,
                T& rest)
{
    std::vector<bool> used(back.size(), false);
    for (std::size_t i = 0; i < map.size(); ++i) {
        stopPoint();
        if (map[i] < 0 || map[i] >= std::int64_t(back.size()))
            return false;
        to[i] = back[std::size_t(map[i])];
        used[std::size_t(map[i])] = true;
    }
    auto sum = wide(T(0));
    for (std::size_t i = 0; i < back.size(); ++i)
        if (!used[i])
            sum = wide(T(wrapping::add(sum, wide(back[i]))));
    rest = T(sum);
    return true;
}

Status runFillEmptyRowsGrad(KernelContext& context)
{
    const Value& map = context.input(0);
    const Value& back = context.input(1);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, back.dtype(), map.dims()));
    ASSIGN_OR_RETURN(auto rest, context.makeOutput(1, back.dtype(), {}));
    bool isInside = true;
    const bool known = dispatch(Numbers(), back.dtype(), [&](auto zero) {
        using T = decltype(zero);
        isInside = gatherBack<T>(map.as<std::int64_t>(), back.as<T>(), made.template mutableAs<T>(),
                                 rest.template mutableAs<T>()[0]);
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(back.dtype()));
    return isInside ? Status(Done{})
                    : context.error("reverse_index_map has an element that is not in [0, " +
                                    std::to_string(back.elements()) + ")");
}

} // namespace

LAPIDARY_KERNEL(SparseAddGrad, runSparseAddGrad, .ranks = {Rank::Vector});
LAPIDARY_KERNEL(SparseFillEmptyRowsGrad, runFillEmptyRowsGrad,
                .ranks = {Rank::Vector, Rank::Vector});
LAPIDARY_KERNEL(SparseSliceGrad, runSparseSliceGrad,
                .ranks = {Rank::Vector, Rank::Matrix, Rank::Vector, Rank::Matrix});

} // namespace lapidary
