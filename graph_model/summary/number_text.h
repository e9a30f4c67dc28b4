// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lapidary {

// Print numbers as TensorFlow does, regardless of the locale: a float with six digits if they
// represent it exactly, and otherwise with nine; a double with 15 or 17.
std::string floatText(float value);
std::string doubleText(double value);
// Returns "999", "1.00k", "23.89M", "1000.00k", "1.00T", "1.2E+15".
std::string humanReadableNumber(std::int64_t value);

} // namespace lapidary
