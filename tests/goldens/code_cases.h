// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lapidary::goldens {

// The operators of TFLite that are drawn on codes of 8 bits.
std::span<const std::string_view> drawnOperators();

// A .tflite file that computes the tensor y by one operator of constants: their sizes and codes,
// the scales and the options are drawn by chance, the same ones for the same number.
std::string drawnFile(std::string_view op, std::uint64_t number);

} // namespace lapidary::goldens
