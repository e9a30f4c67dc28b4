// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Sets output `i` to `size` steps along `axis` of `input`, from `begin` on; `dims` is the output's
// shape, which may lack the axis.
Status setPart(KernelContext& context, std::size_t i, const Value& input, int axis,
               std::int64_t begin, std::int64_t size, Dims dims);

} // namespace lapidary
