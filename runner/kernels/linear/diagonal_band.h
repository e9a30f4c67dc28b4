// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace lapidary {

// Diagonals `lower` to `upper` of matrices rows x columns (0: the main one, above it positive). As
// a tensor they are rows of the longest one's length, the upper one first, each from its beginning.
struct DiagonalBand {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t lower = 0;
    std::int64_t upper = 0;

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
    // [batch..., count (if more than one), longest]
    Dims diagonalDims(const Dims& batch) const;

    // Input `k`, a scalar or a pair, as lower and upper; the main diagonal without an input.
    static Result<DiagonalBand> of(const KernelContext& context, std::optional<std::size_t> k);
    // The same for matrices of that size: both must lie in it.
    static Result<DiagonalBand> in(const KernelContext& context, std::optional<std::size_t> k,
                                   const Dims& matrices);
};

// Calls use(element of one matrix, element of its diagonals) for all of the band; where a diagonal
// ends before the longest one, pad(element of the diagonals).
template <class Use, class Pad>
void eachOfBand(const DiagonalBand& band, const Use& use, const Pad& pad)
{
    for (std::int64_t i = 0; i < band.count(); ++i) {
        const std::int64_t diagonal = band.upper - i;
        const std::int64_t row = std::max<std::int64_t>(-diagonal, 0);
        const std::int64_t column = std::max<std::int64_t>(diagonal, 0);
        const std::int64_t length = band.length(diagonal);
        for (std::int64_t k = 0; k < band.longest(); ++k) {
            const std::int64_t at = i * band.longest() + k;
            if (k < length)
                use((row + k) * band.columns + column + k, at);
            else
                pad(at);
        }
    }
}

// Matrices filled with `padding` (0 where null) but for the diagonals of input 0.
Status placeDiagonals(KernelContext& context, const DiagonalBand& band, const Value* padding);
// The diagonals of input 0; shorter ones end with `padding` (0 where null).
Status takeDiagonals(KernelContext& context, const DiagonalBand& band, const Value* padding);
// Input 0 with the diagonals of input 1 in place of its own.
Status replaceDiagonals(KernelContext& context, const DiagonalBand& band);

} // namespace lapidary
