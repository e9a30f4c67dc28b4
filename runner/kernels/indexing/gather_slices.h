// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Sets output 0 to the slices of `params` that the rows of `indices` name.
Status gatherSlices(KernelContext& context, const Value& params, const Value& indices);

} // namespace lapidary
