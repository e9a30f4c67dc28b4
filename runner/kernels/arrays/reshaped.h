// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Sets output 0 to the data of input 0 with the shape that input 1 holds, which may have one -1.
Status reshapeFirst(KernelContext& context);

} // namespace lapidary
