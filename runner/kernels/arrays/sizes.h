// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <limits>
#include <span>

namespace lapidary {

// Sets output `i` to a tensor of int32 or int64 that holds `numbers`. Fails if one of them does not
// fit.
inline Status setIntegers(KernelContext& context, std::size_t i, DType dtype, Dims dims,
                          std::span<const std::int64_t> numbers)
{
    ASSIGN_OR_RETURN(auto output, context.makeOutput(i, dtype, std::move(dims)));
    const auto fits = [](std::int64_t n) { return n == std::int64_t(std::int32_t(n)); };
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (dtype == DType::Int64)
            output.mutableAs<std::int64_t>()[k] = numbers[k];
        else if (fits(numbers[k]))
            output.mutableAs<std::int32_t>()[k] = std::int32_t(numbers[k]);
        else
            return context.error(std::to_string(numbers[k]) + " does not fit into int32");
    }
    return Done{};
}

} // namespace lapidary
