// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lapidary {

// Diagonals `lower` to `upper` of matrices rows x columns (0 is the main one, those above it are
// positive). A tensor has them as rows of the longest one's length, the upper one first. A shorter
// one is aligned left or right in its row.
struct DiagonalBand {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t lower = 0;
    std::int64_t upper = 0;
    bool isUpperLeft = true; // those above the main one
    bool isLowerLeft = true; // those below it; the main one is left where either are

    std::int64_t count() const { return upper - lower + 1; }
    std::int64_t length(std::int64_t diagonal) const
    {
        return std::min(rows + std::min<std::int64_t>(diagonal, 0),
                        columns - std::max<std::int64_t>(diagonal, 0));
    }
    std::int64_t longest() const
    {
        return std::min(rows + std::min<std::int64_t>(upper, 0),
                        columns - std::max<std::int64_t>(lower, 0));
    }
    // Returns where the row of a diagonal begins.
    std::int64_t offset(std::int64_t diagonal) const
    {
        const bool isLeft = (diagonal >= 0 && isUpperLeft) || (diagonal <= 0 && isLowerLeft);
        return isLeft ? 0 : longest() - length(diagonal);
    }
    // Returns the band with the alignment `align`: "RIGHT_LEFT" aligns diagonals above the main one
    // to the right, the others to the left.
    DiagonalBand aligned(std::string_view align) const;
    // [batch..., count (if more than one), longest]
    Dims diagonalDims(const Dims& batch) const;

    // Input `k`, a scalar or a pair, as lower and upper; the main diagonal without an input.
    static Result<DiagonalBand> of(const KernelContext& context, std::optional<std::size_t> k);
    // Makes a band of matrices of that size, which must contain both diagonals.
    static Result<DiagonalBand> in(const KernelContext& context, std::optional<std::size_t> k,
                                   const Dims& matrices);
};

// Calls use(element of one matrix, element of its diagonals) for all of the band; where a diagonal
// is shorter than the longest one, pad(element of the diagonals).
template <class Use, class Pad>
void eachOfBand(const DiagonalBand& band, const Use& use, const Pad& pad)
{
    for (std::int64_t i = 0; i < band.count(); ++i) {
        const std::int64_t diagonal = band.upper - i;
        const std::int64_t row = std::max<std::int64_t>(-diagonal, 0);
        const std::int64_t column = std::max<std::int64_t>(diagonal, 0);
        const std::int64_t length = band.length(diagonal);
        const std::int64_t offset = band.offset(diagonal);
        for (std::int64_t k = 0; k < band.longest(); ++k) {
            const std::int64_t at = i * band.longest() + k;
            const std::int64_t step = k - offset;
            if (step >= 0 && step < length)
                use((row + step) * band.columns + column + step, at);
            else
                pad(at);
        }
    }
}

// Matrices filled with `padding` (0 where null) but for the diagonals of input 0.
Status placeDiagonals(KernelContext& context, const DiagonalBand& band, const Value* padding);
// The diagonals of input 0; shorter ones are filled up with `padding` (0 where null).
Status takeDiagonals(KernelContext& context, const DiagonalBand& band, const Value* padding);
// Input 0 with the diagonals of input 1 instead of its own.
Status replaceDiagonals(KernelContext& context, const DiagonalBand& band);

} // namespace lapidary
