// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

namespace lapidary {

// A number without its fraction, as the nearest value of a type of integers; NaN is 0. The language
// leaves open what a cast gives for a number that the type does not hold, and files hold any.
template <std::integral To, std::floating_point From>
To clampedTo(From value)
{
    using Limits = std::numeric_limits<To>;
    if (std::isnan(value))
        return 0;
    if (value <= From(Limits::min()))
        return Limits::min();
    // Rounded up, the highest of a wide type is the first that is too high.
    return value >= From(Limits::max()) ? Limits::max() : To(value);
}

} // namespace lapidary
