// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cstdint>

namespace lapidary {

// A tensor seen as [outer, size, inner] around one of its axes.
struct OneAxis {
    std::size_t axis = 0;
    std::int64_t outer = 1;
    std::int64_t size = 1;
    std::int64_t inner = 1;

    // Returns the axis of input 0 that input 1, a scalar, names; negative ones count from the end.
    static Result<OneAxis> of(const KernelContext& context);
};

} // namespace lapidary
