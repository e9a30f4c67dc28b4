// SPDX-License-Identifier: Apache-2.0
// SparseReduceSum, SparseReduceMax: sums or largest values along axes of a sparse tensor, as a
// dense tensor with 0 where there are no entries; SparseReduceSumSparse, MaxSparse give a sparse
// tensor.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/sparse/sparse_tensor.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

struct Reduction {
    SparseTensor tensor;
    std::vector<std::size_t> kept; // axes that are not reduced
    Dims shape;                    // of the result
    bool keepsDims = false;
};

Result<Reduction> reductionOf(const KernelContext& context)
{
    Reduction reduction;
    ASSIGN_OR_RETURN(reduction.tensor, sparseTensor(context, 0));
    RETURN_IF_ERROR(checkInside(context, reduction.tensor));
    reduction.keepsDims = context.boolAttr("keep_dims");
    if (context.input(3).rank() > 1)
        return context.error("reduction_axes must be a scalar or a vector, but their shape is " +
                             dimsText(context.input(3).dims()));
    const auto rank = int(reduction.tensor.rank());
    std::vector<bool> isReduced(reduction.tensor.rank(), false);
    for (const std::int64_t axis : context.input(3).integers()) {
        ASSIGN_OR_RETURN(const int at, resolveAxis(context, axis, rank));
        isReduced[std::size_t(at)] = true;
    }
    for (std::size_t axis = 0; axis < isReduced.size(); ++axis) {
        if (!isReduced[axis]) {
            reduction.kept.push_back(axis);
            reduction.shape.push_back(reduction.tensor.shape[axis]);
        } else if (reduction.keepsDims) {
            reduction.shape.push_back(1);
        }
    }
    return reduction;
}

std::strong_ordering compareKept(const Reduction& reduction, std::int64_t a, std::int64_t b)
{
    const auto x = reduction.tensor.index(a);
    const auto y = reduction.tensor.index(b);
    for (const std::size_t axis : reduction.kept)
        if (const auto order = x[axis] <=> y[axis]; order != 0)
            return order;
    return std::strong_ordering::equal;
}

// Returns the entries, with those of one element of the result next to each other.
std::vector<std::int64_t> groupedEntries(const Reduction& reduction)
{
    std::vector<std::int64_t> entries(std::size_t(reduction.tensor.count()));
    std::iota(entries.begin(), entries.end(), 0);
    std::ranges::stable_sort(entries, [&](std::int64_t a, std::int64_t b) {
        stopPoint();
        if (const auto order = compareKept(reduction, a, b); order != 0)
            return order < 0;
        return compareIndices(reduction.tensor.index(a), reduction.tensor.index(b)) < 0;
    });
    return entries;
}

// Returns the indices in `entries` at which the elements of the result begin.
std::vector<std::size_t> startsOf(const Reduction& reduction,
                                  const std::vector<std::int64_t>& entries)
{
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        stopPoint();
        if (i == 0 || compareKept(reduction, entries[i - 1], entries[i]) != 0)
            starts.push_back(i);
    }
    return starts;
}

// Returns the index of an element of the result.
Dims resultIndex(const Reduction& reduction, std::int64_t entry)
{
    Dims index;
    if (reduction.keepsDims)
        index.assign(reduction.tensor.rank(), 0);
    for (const std::size_t axis : reduction.kept) {
        const std::int64_t at = reduction.tensor.index(entry)[axis];
        if (reduction.keepsDims)
            index[axis] = at;
        else
            index.push_back(at);
    }
    return index;
}

struct Sum {
    using Types = Numbers;

    template <class T>
    static T of(T a, T b)
    {
        return wrapping::add(a, b);
    }
};

struct Largest {
    using Types = Reals;

    template <class T>
    static T of(T a, T b)
    {
        return a < b ? b : a;
    }
};

// Returns the value of the group of entries [start, end).
template <class Operation, class T>
T reduceGroup(std::span<const T> values, const std::vector<std::int64_t>& entries,
              std::size_t start, std::size_t end)
{
    auto result = wide(values[std::size_t(entries[start])]);
    for (std::size_t i = start + 1; i < end; ++i) {
        stopPoint();
        result = Operation::of(result, wide(values[std::size_t(entries[i])]));
    }
    return T(result);
}

template <class Operation, class Use>
Status reduceGroups(KernelContext& context, const Reduction& reduction,
                    const std::vector<std::int64_t>& entries,
                    const std::vector<std::size_t>& starts, Value& made, const Use& placeOf)
{
    const bool known = dispatch(typename Operation::Types(), made.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto to = made.template mutableAs<T>();
        std::ranges::fill(to, T(0));
        for (std::size_t group = 0; group < starts.size(); ++group) {
            const std::size_t end = group + 1 < starts.size() ? starts[group + 1] : entries.size();
            to[placeOf(group)] = reduceGroup<Operation>(reduction.tensor.values->as<T>(), entries,
                                                        starts[group], end);
        }
    });
    return known ? Status(Done{})
                 : Status(context.error("has no kernel for " + dtypeName(made.dtype())));
}

template <class Operation>
Status runReduce(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto reduction, reductionOf(context));
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(0, reduction.tensor.values->dtype(), reduction.shape));
    const auto entries = groupedEntries(reduction);
    const auto starts = startsOf(reduction, entries);
    return reduceGroups<Operation>(
        context, reduction, entries, starts, made, [&](std::size_t group) {
            const Dims index = resultIndex(reduction, entries[starts[group]]);
            std::size_t at = 0;
            for (std::size_t axis = 0; axis < index.size(); ++axis)
                at = at * std::size_t(reduction.shape[axis]) + std::size_t(index[axis]);
            return at;
        });
}

template <class Operation>
Status runReduceSparse(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto reduction, reductionOf(context));
    const auto entries = groupedEntries(reduction);
    const auto starts = startsOf(reduction, entries);
    const auto count = std::int64_t(starts.size());
    ASSIGN_OR_RETURN(
        auto indices,
        context.makeOutput(0, DType::Int64, {count, std::int64_t(reduction.shape.size())}));
    ASSIGN_OR_RETURN(auto values, context.makeOutput(1, reduction.tensor.values->dtype(), {count}));
    auto to = indices.mutableAs<std::int64_t>().begin();
    for (const std::size_t start : starts) {
        stopPoint();
        to = std::ranges::copy(resultIndex(reduction, entries[start]), to).out;
    }
    RETURN_IF_ERROR(reduceGroups<Operation>(context, reduction, entries, starts, values,
                                            [](std::size_t group) { return group; }));
    return giveShape(context, 2, reduction.shape);
}

} // namespace

LAPIDARY_KERNEL(SparseReduceMax, runReduce<Largest>);
LAPIDARY_KERNEL(SparseReduceMaxSparse, runReduceSparse<Largest>);
LAPIDARY_KERNEL(SparseReduceSum, runReduce<Sum>);
LAPIDARY_KERNEL(SparseReduceSumSparse, runReduceSparse<Sum>);

} // namespace lapidary
