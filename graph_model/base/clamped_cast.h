// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

namespace lapidary {

// Drops the fraction of a number and returns the nearest value of an integer type; NaN gives 0. A
// plain cast is undefined for numbers that the type cannot represent, and files contain any number.
template <std::integral To, std::floating_point From>
To clampedTo(From value)
{
    using Limits = std::numeric_limits<To>;
    if (std::isnan(value))
        return 0;
    if (value <= From(Limits::min()))
        return Limits::min();
    // The highest value of a wide type is rounded up here, to the first number that does not fit.
    return value >= From(Limits::max()) ? Limits::max() : To(value);
}

} // namespace lapidary
