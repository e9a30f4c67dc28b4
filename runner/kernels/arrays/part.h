// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Steps [begin, begin + size) along an axis.
struct AxisPart {
    int axis = 0;
    std::int64_t begin = 0;
    std::int64_t size = 1;
};

// Sets output `i` to a part of `input`; `dims` is the output's shape, which may lack the axis.
Status setPart(KernelContext& context, std::size_t i, const Value& input, const AxisPart& part,
               Dims dims);

} // namespace lapidary
