// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to this folder: the functions of requantization_vectors.h, sixteen codes at a time with
// AVX-512.
#include "runner/int8/requantization_vectors.h"

namespace lapidary::int8 {

bool hasWideVectors();
std::size_t biasedWide(std::span<const std::int32_t> sums, const BiasedRow& row, std::uint8_t* to);
std::size_t biasedWide(std::span<const std::uint8_t> codes, const BiasedRow& row, std::uint8_t* to);
std::size_t pairsWide(const CodePairs& pairs, const PairSum& sum,
                      const Requantization& requantization, std::uint8_t* to);
std::size_t quantizeWide(std::span<const float> x, float scale, float offset, std::uint8_t* to);

} // namespace lapidary::int8
