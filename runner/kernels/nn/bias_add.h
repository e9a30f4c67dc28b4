// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Computes y = value + bias along the channels: the last axis, or axis 1 if `channelsFirst`.
Status addBias(KernelContext& context, bool channelsFirst);

} // namespace lapidary
