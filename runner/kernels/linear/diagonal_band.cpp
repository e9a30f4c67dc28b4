// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/linear/diagonal_band.h"

#include "runner/kernels/elementwise/wrapping.h"

namespace lapidary {
namespace {

Dims batchOf(const Dims& dims, std::size_t without)
{
    return {dims.begin(), dims.end() - std::ptrdiff_t(without)};
}

// Returns the element of `padding`, or zero if it is null.
template <class T>
T elementOf(const Value* padding)
{
    return padding != nullptr ? readElements<T>(*padding)[0] : T();
}

Status checkPadding(const KernelContext& context, const Value* padding)
{
    if (padding != nullptr && padding->elements() != 1)
        return context.error("the padding value must be a scalar, but has shape " +
                             dimsText(padding->dims()));
    return Done{};
}

std::int64_t batches(const Value& value, std::int64_t each)
{
    return each == 0 ? 0 : value.elements() / each;
}

Error unknownType(const KernelContext& context)
{
    return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
}

} // namespace

DiagonalBand DiagonalBand::aligned(std::string_view align) const
{
    DiagonalBand band = *this;
    band.isUpperLeft = align.starts_with("LEFT_");
    band.isLowerLeft = align.ends_with("_LEFT");
    return band;
}

Dims DiagonalBand::diagonalDims(const Dims& batch) const
{
    Dims dims = batch;
    if (count() > 1)
        dims.push_back(count());
    dims.push_back(longest());
    return dims;
}

Result<DiagonalBand> DiagonalBand::of(const KernelContext& context, std::optional<std::size_t> k)
{
    if (!k)
        return DiagonalBand{};
    const Value& index = context.input(*k);
    if (index.rank() > 1 || index.elements() < 1 || index.elements() > 2)
        return context.error("k must be a scalar or one or two numbers, but has shape " +
                             dimsText(index.dims()));
    DiagonalBand band;
    band.lower = index.integers().front();
    band.upper = index.integers().back();
    if (band.lower > band.upper)
        return context.error("diagonals " + std::to_string(band.lower) + " to " +
                             std::to_string(band.upper) + " are in the wrong order");
    return band;
}

Result<DiagonalBand> DiagonalBand::in(const KernelContext& context, std::optional<std::size_t> k,
                                      const Dims& matrices)
{
    if (matrices.size() < 2)
        return context.error("needs matrices, but the shape is " + dimsText(matrices));
    auto band = of(context, k);
    if (!band)
        return band;
    band->rows = matrices[matrices.size() - 2];
    band->columns = matrices.back();
    for (const std::int64_t diagonal : {band->lower, band->upper})
        if (diagonal != 0 && (diagonal <= -band->rows || diagonal >= band->columns))
            return context.error("matrices of shape " + dimsText(matrices) + " have no diagonal " +
                                 std::to_string(diagonal));
    return band;
}

Status placeDiagonals(KernelContext& context, const DiagonalBand& band, const Value* padding)
{
    RETURN_IF_ERROR(checkPadding(context, padding));
    const Value& x = context.input(0);
    Dims dims = batchOf(x.dims(), band.count() > 1 ? 2 : 1);
    dims.push_back(band.rows);
    dims.push_back(band.columns);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), dims));
    const std::int64_t each = wrapping::mul(band.count(), band.longest());
    const bool known = dispatchBySize(x.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto y = writeElements<T>(made);
        std::ranges::fill(y, elementOf<T>(padding));
        for (std::int64_t i = 0; i < batches(x, each); ++i)
            eachOfBand(
                band,
                [&](std::int64_t matrix, std::int64_t diagonal) {
                    y[std::size_t(i * band.rows * band.columns + matrix)] =
                        readElements<T>(x)[std::size_t(i * each + diagonal)];
                },
                [](std::int64_t) {});
    });
    return known ? Status(Done{}) : unknownType(context);
}

Status takeDiagonals(KernelContext& context, const DiagonalBand& band, const Value* padding)
{
    RETURN_IF_ERROR(checkPadding(context, padding));
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(0, x.dtype(), band.diagonalDims(batchOf(x.dims(), 2))));
    const std::int64_t each = wrapping::mul(band.count(), band.longest());
    const bool known = dispatchBySize(x.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto y = writeElements<T>(made);
        const T blank = elementOf<T>(padding);
        for (std::int64_t i = 0; i < batches(made, each); ++i)
            eachOfBand(
                band,
                [&](std::int64_t matrix, std::int64_t diagonal) {
                    y[std::size_t(i * each + diagonal)] =
                        readElements<T>(x)[std::size_t(i * band.rows * band.columns + matrix)];
                },
                [&](std::int64_t diagonal) { y[std::size_t(i * each + diagonal)] = blank; });
    });
    return known ? Status(Done{}) : unknownType(context);
}

Status replaceDiagonals(KernelContext& context, const DiagonalBand& band)
{
    const Value& x = context.input(0);
    const Value& diagonals = context.input(1);
    const Dims expected = band.diagonalDims(batchOf(x.dims(), 2));
    if (diagonals.dims() != expected)
        return context.error("the diagonals must have shape " + dimsText(expected) + ", but have " +
                             dimsText(diagonals.dims()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), x.dims()));
    const std::int64_t each = wrapping::mul(band.count(), band.longest());
    const bool known = dispatchBySize(x.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto y = writeElements<T>(made);
        std::ranges::copy(readElements<T>(x), y.begin());
        for (std::int64_t i = 0; i < batches(diagonals, each); ++i)
            eachOfBand(
                band,
                [&](std::int64_t matrix, std::int64_t diagonal) {
                    y[std::size_t(i * band.rows * band.columns + matrix)] =
                        readElements<T>(diagonals)[std::size_t(i * each + diagonal)];
                },
                [](std::int64_t) {});
    });
    return known ? Status(Done{}) : unknownType(context);
}

} // namespace lapidary
