// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lapidary::goldens {

// The operators of TFLite for which cases on 8-bit codes are drawn.
std::span<const std::string_view> drawnOperators();

// Returns a .tflite file that computes the tensor y by one operator from constants. Sizes, codes,
// scales and options are random, the same for the same number.
std::string drawnFile(std::string_view op, std::uint64_t number);

} // namespace lapidary::goldens
