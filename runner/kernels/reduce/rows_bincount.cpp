// SPDX-License-Identifier: Apache-2.0
// DenseBincount, SparseBincount, RaggedBincount: counts how often each of 0 to size - 1 occurs in
// each row, or adds up the weights; larger numbers are left out. With binary_output, the count is 1
// if a number occurs. A vector is one row, and its counts are a vector.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <functional>

namespace lapidary {
namespace {

using CountedTypes = TypeList<float, double, std::int32_t, std::int64_t>;
using RowOf = std::function<std::int64_t(std::size_t)>;

// The inputs that the ops share, from `values` on: size and weights come after it, or after the
// shape of a sparse tensor.
struct Counted {
    std::vector<std::int64_t> values;
    std::int64_t size = 0;
    const Value* weights = nullptr;
};

Result<Counted> countedInputs(const KernelContext& context, std::size_t values, std::size_t size)
{
    const Value& weights = context.input(size + 1);
    Counted counted{context.input(values).integers(), 0, &weights};
    if (!context.input(size).isScalar())
        return context.error("size must be a scalar, but has shape " +
                             dimsText(context.input(size).dims()));
    counted.size = context.input(size).integers()[0];
    if (counted.size < 0)
        return context.error("size must not be negative, but is " + std::to_string(counted.size));
    if (weights.elements() != 0 && weights.elements() != std::int64_t(counted.values.size()))
        return context.error("there are " + std::to_string(weights.elements()) + " weights for " +
                             std::to_string(counted.values.size()) + " numbers");
    if (std::ranges::any_of(counted.values, [](std::int64_t n) { return n < 0; }))
        return context.error("the numbers to count must not be negative");
    return counted;
}

template <class T>
Status countInto(const KernelContext& context, std::span<T> counts, const Counted& counted,
                 const RowOf& rowOf)
{
    const bool isBinary = context.boolAttr("binary_output");
    std::ranges::fill(counts, T(0));
    for (std::size_t i = 0; i < counted.values.size(); ++i) {
        if (i % 65536 == 0 && context.job().cancelled())
            return cancelledError();
        if (counted.values[i] >= counted.size)
            continue;
        T& count = counts[std::size_t(rowOf(i) * counted.size + counted.values[i])];
        if (isBinary)
            count = T(1);
        else
            count = T(wrapping::add(
                count, counted.weights->elements() == 0 ? T(1) : counted.weights->as<T>()[i]));
    }
    return Done{};
}

Status giveCounts(KernelContext& context, const Counted& counted, Dims dims, const RowOf& rowOf)
{
    const DType dtype = counted.weights->dtype();
    dims.push_back(counted.size);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, dtype, std::move(dims)));
    Status status = Done{};
    const bool known = dispatch(CountedTypes(), dtype, [&](auto zero) {
        using T = decltype(zero);
        status = countInto(context, made.template mutableAs<T>(), counted, rowOf);
    });
    return known ? status : Status(context.error("has no kernel for " + dtypeName(dtype)));
}

Status runDense(KernelContext& context)
{
    const Value& values = context.input(0);
    if (values.rank() > 2)
        return context.error("its input must be a vector or a matrix, but its shape is " +
                             dimsText(values.dims()));
    ASSIGN_OR_RETURN(const auto counted, countedInputs(context, 0, 1));
    const std::int64_t width = values.rank() == 2 ? values.dim(1) : values.elements();
    return giveCounts(context, counted, values.rank() == 2 ? Dims{values.dim(0)} : Dims{},
                      [&](std::size_t i) { return std::int64_t(i) / width; });
}

Status runSparse(KernelContext& context)
{
    const Value& places = context.input(0);
    const auto shape = context.input(2).integers();
    const auto rank = std::int64_t(shape.size());
    ASSIGN_OR_RETURN(const auto counted, countedInputs(context, 1, 3));
    if (rank < 1 || rank > 2 || places.dim(1) != rank ||
        places.dim(0) != std::int64_t(counted.values.size()))
        return context.error("indices of shape " + dimsText(places.dims()) + " do not fit " +
                             std::to_string(counted.values.size()) + " numbers of a tensor of " +
                             std::to_string(rank) + " axes, which must be one or two");
    if (rank == 1)
        return giveCounts(context, counted, {}, [](std::size_t) { return 0; });
    const auto at = places.as<std::int64_t>();
    for (std::size_t i = 0; i < counted.values.size(); ++i)
        if (at[2 * i] < 0 || at[2 * i] >= shape[0])
            return context.error("the row " + std::to_string(at[2 * i]) + " is not in [0, " +
                                 std::to_string(shape[0]) + ")");
    return giveCounts(context, counted, {shape[0]}, [&](std::size_t i) { return at[2 * i]; });
}

Status runRagged(KernelContext& context)
{
    const auto splits = context.input(0).as<std::int64_t>();
    ASSIGN_OR_RETURN(const auto counted, countedInputs(context, 1, 2));
    const bool isWhole = !splits.empty() && splits.front() == 0 &&
                         splits.back() == std::int64_t(counted.values.size()) &&
                         std::ranges::is_sorted(splits);
    if (!isWhole)
        return context.error("splits must rise from 0 to the number of values, " +
                             std::to_string(counted.values.size()));
    return giveCounts(context, counted, {std::int64_t(splits.size()) - 1}, [&](std::size_t i) {
        return std::ranges::upper_bound(splits, std::int64_t(i)) - splits.begin() - 1;
    });
}

} // namespace

LAPIDARY_KERNEL(DenseBincount, runDense);
LAPIDARY_KERNEL(SparseBincount, runSparse, .ranks = {Rank::Matrix, Rank::Vector, Rank::Vector});
LAPIDARY_KERNEL(RaggedBincount, runRagged, .ranks = {Rank::Vector, Rank::Vector});

} // namespace lapidary
