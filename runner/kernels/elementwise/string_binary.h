// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Runs Add for strings: z is x followed by y, with broadcasting.
Status joinStrings(KernelContext& context);

} // namespace lapidary
