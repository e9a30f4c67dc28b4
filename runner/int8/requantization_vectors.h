// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to this folder: codes eight at a time with AVX2. Each function does whole blocks from the
// start and returns the number of elements that it did; the caller does the rest.
#include "runner/int8/requantization.h"

namespace lapidary::int8 {

bool hasVectors();
std::size_t requantizeVectors(std::span<const std::int32_t> sums,
                              const Requantization& requantization, std::uint8_t* to);
// Returns the vector arithmetic that gives the shift's table.
ShiftVectors shiftVectorsOf(const Shift& shift);
// Returns the starts of the channels to whose codes these numbers are added; `range` is their
// range.
Starts startsOf(std::span<const std::int32_t> added, Range32 range, const Shift& shift,
                const Requantization& second);
// References to the members of a BiasedRequantization.
struct BiasedRow {
    const Requantization& first;
    Range32 sums; // range of the sums for `first`
    const Shift& shift;
    const Starts& starts;
    const Requantization& second;
    std::span<const std::int32_t> addedCodes;
    ShiftVectors vectors;
};
// No more than the row has.
std::size_t biasedVectors(std::span<const std::int32_t> sums, const BiasedRow& row,
                          std::uint8_t* to);
std::size_t biasedVectors(std::span<const std::uint8_t> codes, const BiasedRow& row,
                          std::uint8_t* to);
std::size_t rangeVectors(const CodePairs& pairs, const PairSum& sum, Range32& range);
std::size_t pairVectors(const CodePairs& pairs, const PairSum& sum,
                        const Requantization& requantization, std::uint8_t* to);
std::size_t includeVectors(std::span<const std::int32_t> sums, Range32& range);
std::size_t includeVectors(std::span<const float> x, RealRange& range);
std::size_t quantizeVectors(std::span<const float> x, float scale, float offset, std::uint8_t* to);
std::size_t dequantizeVectors(std::span<const std::uint8_t> codes, float bias, float step,
                              float* to);

} // namespace lapidary::int8
