// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary {

// As printf's %.6g.
std::string sixDigits(double value);
// Returns as few digits as give the same number again.
std::string shortestDigits(double value);
std::string shortestDigits(float value);

} // namespace lapidary
