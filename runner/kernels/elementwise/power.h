// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/elementwise/wrapping.h"

#include <cmath>
#include <complex>

namespace lapidary {

// Integers wrap, and their exponent must not be negative.
template <class T>
T power(T x, T y)
{
    if constexpr (std::is_integral_v<T>) {
        T result = 1;
        for (; y > 0; y = T(y >> 1)) {
            if ((y & 1) != 0)
                result = wrapping::mul(result, x);
            x = wrapping::mul(x, x);
        }
        return result;
    } else {
        return std::pow(x, y);
    }
}

} // namespace lapidary
