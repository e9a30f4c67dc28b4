// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lapidary {

// The diagonals `lower` to `upper` of matrices rows x columns (0 is the main one, those above it
// are positive). In a tensor of diagonals, each is a row, the upper one first; rows are as long as
// the longest diagonal, and shorter ones are aligned left or right.
struct DiagonalBand {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t lower = 0;
    std::int64_t upper = 0;
    bool isUpperLeft = true; // diagonals above the main one are aligned left
    bool isLowerLeft = true; // those below are; the main one is if either are

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
    // Returns the index in its row at which a diagonal begins.
    std::int64_t offset(std::int64_t diagonal) const
    {
        const bool isLeft = (diagonal >= 0 && isUpperLeft) || (diagonal <= 0 && isLowerLeft);
        return isLeft ? 0 : longest() - length(diagonal);
    }
    // Returns the band with the alignment `align`: "RIGHT_LEFT" aligns diagonals above the main one
    // to the right, the others to the left.
    DiagonalBand aligned(std::string_view align) const;
    // Returns [batch..., count (if more than one), longest].
    Dims diagonalDims(const Dims& batch) const;

    // Reads lower and upper from input `k`, a scalar or a pair; without an input, the band is the
    // main diagonal.
    static Result<DiagonalBand> of(const KernelContext& context, std::optional<std::size_t> k);
    // Makes a band of matrices of that size, which must contain both diagonals.
    static Result<DiagonalBand> in(const KernelContext& context, std::optional<std::size_t> k,
                                   const Dims& matrices);
};

// Calls use(index in the matrix, index in its diagonals) for each element of the band, and
// pad(index in the diagonals) for the rest of the rows of shorter diagonals.
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

// Sets output 0 to matrices with the diagonals of input 0, and `padding` (null: 0) elsewhere.
Status placeDiagonals(KernelContext& context, const DiagonalBand& band, const Value* padding);
// Sets output 0 to the diagonals of input 0; shorter ones are filled up with `padding` (null: 0).
Status takeDiagonals(KernelContext& context, const DiagonalBand& band, const Value* padding);
// Sets output 0 to input 0 with its diagonals replaced by those of input 1.
Status replaceDiagonals(KernelContext& context, const DiagonalBand& band);

} // namespace lapidary
