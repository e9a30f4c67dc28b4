// SPDX-License-Identifier: Apache-2.0
// EditDistance: the Levenshtein distance between the sequences along the last axis of two sparse
// tensors; with `normalize`, divided by the length of the true sequence.
#include "runner/kernels/indexing/row_table.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace lapidary {
namespace {

using Key = std::vector<std::int64_t>; // all indices but the last

// Returns the indices of `input`'s values by sequence, in the order of the rows.
std::map<Key, std::vector<std::size_t>> sequencesOf(const KernelContext& context, std::size_t input)
{
    const Value& indices = context.input(input);
    const auto rank = std::size_t(indices.dim(1));
    const auto all = indices.as<std::int64_t>();
    std::map<Key, std::vector<std::size_t>> sequences;
    for (std::size_t row = 0; row < std::size_t(indices.dim(0)); ++row) {
        const auto at = all.subspan(row * rank, rank - 1);
        sequences[Key(at.begin(), at.end())].push_back(row);
    }
    return sequences;
}

template <class T>
std::int64_t distance(const std::vector<std::size_t>& a, std::span<const T> aValues,
                      const std::vector<std::size_t>& b, std::span<const T> bValues)
{
    std::vector<std::int64_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::int64_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::int64_t diagonal = row[0];
        row[0] = std::int64_t(i) + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::int64_t changed =
                diagonal + (areEqual(aValues[a[i]], bValues[b[j]]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

// Checks one sparse tensor, whose indices, values and shape are the inputs from `first` on.
Status checkSparse(const KernelContext& context, std::size_t first)
{
    const Value& indices = context.input(first);
    const Value& values = context.input(first + 1);
    const Value& shape = context.input(first + 2);
    if (indices.dim(0) != values.dim(0) || indices.dim(1) != shape.dim(0) || shape.dim(0) < 1)
        return context.error("indices of shape " + dimsText(indices.dims()) + " do not fit " +
                             std::to_string(values.dim(0)) + " values and a shape of " +
                             std::to_string(shape.dim(0)) + " sizes");
    return Done{};
}

// Returns the flat index of a sequence in the output; nothing if it is outside.
std::optional<std::size_t> offsetOf(const Key& key, const Dims& dims)
{
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
        if (key[axis] < 0 || key[axis] >= dims[axis])
            return std::nullopt;
        offset = offset * dims[axis] + key[axis];
    }
    return std::size_t(offset);
}

template <class T>
Status measureAll(KernelContext& context, const Dims& dims, std::span<float> y)
{
    const bool normalize = context.boolAttr("normalize", true);
    const auto hypotheses = sequencesOf(context, 0);
    const auto truths = sequencesOf(context, 3);
    const auto put = [&](const Key& key, const std::vector<std::size_t>& guess,
                         const std::vector<std::size_t>& truth) -> Status {
        if (context.job().cancelled())
            return cancelledError();
        const auto offset = offsetOf(key, dims);
        if (!offset)
            return context.error("a sequence's indices are outside of the shape " + dimsText(dims));
        auto result = float(distance<T>(guess, readElements<T>(context.input(1)), truth,
                                        readElements<T>(context.input(4))));
        if (normalize && truth.empty())
            result = guess.empty() ? 0.0F : std::numeric_limits<float>::infinity();
        else if (normalize)
            result /= float(truth.size());
        y[*offset] = result;
        return Done{};
    };
    const std::vector<std::size_t> none;
    for (const auto& [key, truth] : truths) {
        const auto guess = hypotheses.find(key);
        RETURN_IF_ERROR(put(key, guess == hypotheses.end() ? none : guess->second, truth));
    }
    for (const auto& [key, guess] : hypotheses)
        if (!truths.contains(key))
            RETURN_IF_ERROR(put(key, guess, none));
    return Done{};
}

Status runEditDistance(KernelContext& context)
{
    RETURN_IF_ERROR(checkSparse(context, 0));
    RETURN_IF_ERROR(checkSparse(context, 3));
    const auto guess = context.input(2).as<std::int64_t>();
    const auto truth = context.input(5).as<std::int64_t>();
    if (guess.size() != truth.size())
        return context.error("hypothesis and truth must have one rank, but have " +
                             std::to_string(guess.size()) + " and " + std::to_string(truth.size()));
    Dims dims;
    for (std::size_t axis = 0; axis + 1 < guess.size(); ++axis)
        dims.push_back(std::max(guess[axis], truth[axis]));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Float, dims));
    const auto y = made.mutableAs<float>();
    std::ranges::fill(y, 0.0F);
    Status status = Done{};
    if (!dispatchComparable(context.input(1).dtype(), [&](auto zero) {
            status = measureAll<decltype(zero)>(context, dims, y);
        }))
        return context.error("has no kernel for " + dtypeName(context.input(1).dtype()));
    return status;
}

} // namespace

LAPIDARY_KERNEL(EditDistance, runEditDistance,
                .ranks = {Rank::Matrix, Rank::Vector, Rank::Vector, Rank::Matrix, Rank::Vector,
                          Rank::Vector});

} // namespace lapidary
