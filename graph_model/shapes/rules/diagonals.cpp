// SPDX-License-Identifier: Apache-2.0
// Diagonals of matrices: ops that make matrices from them, extract them and insert them. Later
// versions use a band of diagonals; operand k is its lowest and highest diagonal.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

using namespace shape_rules;

struct Band {
    std::int64_t lower = 0;
    std::int64_t upper = 0;

    bool isOne() const { return lower == upper; }
    std::int64_t count() const { return upper - lower + 1; }
};

// Returns nothing if the operand's value is unknown, or not valid for a band.
std::optional<Band> bandFrom(RuleContext& context, std::size_t operand)
{
    context.rankedAtMost(context.input(operand), 1);
    const auto diagonals = context.allItems(operand);
    if (!diagonals || context.failed())
        return std::nullopt;
    if (diagonals->empty() || diagonals->size() > 2) {
        context.fail("diag_index must be a vector with one or two elements. It has " +
                     std::to_string(diagonals->size()));
        return std::nullopt;
    }
    const Band band{diagonals->front(), diagonals->back()};
    if (band.lower > band.upper)
        context.fail("lower_diag_index is greater than upper_diag_index");
    // They have 32 bits, but a file may contain others.
    if (band.lower < std::numeric_limits<std::int32_t>::min() ||
        band.upper > std::numeric_limits<std::int32_t>::max()) {
        context.fail("diag_index is out of bound.");
        return std::nullopt;
    }
    return band;
}

// Checks that the band is inside of the matrices, if their sizes are known.
void checkInside(RuleContext& context, const Band& band, const Shape& matrices)
{
    const std::int64_t rows = sizeAt(matrices, -2);
    const std::int64_t columns = sizeAt(matrices, -1);
    if (rows < 0 || columns < 0)
        return;
    const auto isOutside = [&](std::int64_t diagonal) {
        return diagonal != 0 && (diagonal <= -rows || diagonal >= columns);
    };
    if (isOutside(band.lower))
        context.fail("lower_diag_index is out of bound.");
    if (isOutside(band.upper))
        context.fail("upper_diag_index is out of bound.");
}

void matrixDiag(RuleContext& context)
{
    const Shape diagonal = context.rankedAtLeast(context.input(0), 1);
    context.set(0, joined(diagonal, {{sizeAt(diagonal, -1)}, false}));
}

// Returns a size operand; unknown if its value is unknown, or -1, which leaves the size to the op.
std::int64_t givenSize(RuleContext& context, std::size_t operand)
{
    context.ranked(operand, 0);
    return context.scalar(operand).value_or(unknownDim);
}

// Without given sizes, matrices are as small as the diagonals allow.
void matrixDiagBand(RuleContext& context)
{
    const Shape diagonals = context.rankedAtLeast(context.input(0), 1);
    const auto band = bandFrom(context, 1);
    const std::int64_t givenRows = givenSize(context, 2);
    const std::int64_t givenColumns = givenSize(context, 3);
    if (!band || diagonals.unknownRank || context.failed())
        return;
    if (!band->isOne() && sizeAt(diagonals, -2) != band->count())
        return context.fail(
            "The number of rows of `diagonal` (" + std::to_string(sizeAt(diagonals, -2)) +
            ") doesn't match the number of diagonals in k (" + std::to_string(band->count()) + ")");
    constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max() / 2;
    const std::int64_t length = std::min(sizeAt(diagonals, -1), longest);
    const std::int64_t leastRows = length - std::min<std::int64_t>(band->upper, 0);
    const std::int64_t leastColumns = length + std::max<std::int64_t>(band->lower, 0);
    std::int64_t rows = givenRows == unknownDim ? leastRows : givenRows;
    std::int64_t columns = givenColumns == unknownDim ? leastColumns : givenColumns;
    if (givenRows == unknownDim && givenColumns == unknownDim)
        rows = columns = std::max(leastRows, leastColumns);
    if (rows < leastRows)
        context.fail("num_rows is too small");
    if (columns < leastColumns)
        context.fail("num_cols is too small.");
    if (rows != leastRows && columns != leastColumns)
        context.fail("num_rows and num_cols are not consistent with the diagonals");
    const bool isKnown = length >= 0 && context.items(2) != nullptr && context.items(3) != nullptr;
    const Shape matrix{{isKnown ? rows : givenRows, isKnown ? columns : givenColumns}, false};
    context.set(0, joined(partOf(diagonals, 0, band->isOne() ? -1 : -2), matrix));
}

std::int64_t mainDiagonal(const Shape& matrices)
{
    return smaller(sizeAt(matrices, -2), sizeAt(matrices, -1));
}

void matrixDiagPart(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    context.set(0, joined(partOf(input, 0, -2), {{mainDiagonal(input)}, false}));
}

void matrixDiagPartBand(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    const auto band = bandFrom(context, 1);
    context.ranked(2, 0);
    if (!band || input.unknownRank || context.failed())
        return;
    checkInside(context, *band, input);
    const std::int64_t rows = sizeAt(input, -2);
    const std::int64_t columns = sizeAt(input, -1);
    std::int64_t longest = unknownDim;
    if (rows >= 0 && columns >= 0)
        longest = std::min(rows + std::min<std::int64_t>(band->upper, 0),
                           columns - std::max<std::int64_t>(band->lower, 0));
    Shape output = partOf(input, 0, -2);
    if (!band->isOne())
        output.dims.push_back(band->count());
    output.dims.push_back(std::max(longest, unknownDim));
    context.set(0, output);
}

// Sets the output to the matrices, with the batch of the diagonals if theirs is unknown.
void setWithBatch(RuleContext& context, const Shape& input, const Shape& batch)
{
    context.set(0, batch.unknownRank || isFullyKnown(input)
                       ? input
                       : context.merge(input, joined(batch, unknownDims(2))));
}

void matrixSetDiag(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    Shape diagonal = context.rankedAtLeast(context.input(1), 1);
    if (!input.unknownRank)
        diagonal = context.ranked(diagonal, input.dims.size() - 1);
    context.merge(mainDiagonal(input), sizeAt(diagonal, -1));
    setWithBatch(context, input, partOf(diagonal, 0, -1));
}

void matrixSetDiagBand(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    Shape diagonals = context.rankedAtLeast(context.input(1), 1);
    const auto band = bandFrom(context, 2);
    if (!input.unknownRank && band)
        diagonals = context.ranked(diagonals, input.dims.size() - (band->isOne() ? 1 : 0));
    if (!input.unknownRank && !band)
        diagonals = context.rankedAtMost(context.rankedAtLeast(diagonals, input.dims.size() - 1),
                                         input.dims.size());
    if (band)
        checkInside(context, *band, input);
    if (context.failed())
        return;
    // TensorFlow assumes a single diagonal if k is unknown.
    setWithBatch(context, input, partOf(diagonals, 0, band && !band->isOne() ? -2 : -1));
}

constexpr ShapeRule diagonalTable[] = {
    {"MatrixDiag", matrixDiag},
    {"MatrixDiagPart", matrixDiagPart},
    {"MatrixDiagPartV2", matrixDiagPartBand},
    {"MatrixDiagPartV3", matrixDiagPartBand},
    {"MatrixDiagV2", matrixDiagBand},
    {"MatrixDiagV3", matrixDiagBand},
    {"MatrixSetDiag", matrixSetDiag},
    {"MatrixSetDiagV2", matrixSetDiagBand},
    {"MatrixSetDiagV3", matrixSetDiagBand},
};

} // namespace

std::span<const ShapeRule> diagonalRules()
{
    return diagonalTable;
}

} // namespace lapidary
