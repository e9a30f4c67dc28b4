// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Sets output 0 to the inputs [first, first + count), joined along `axis` (in range). Their other
// sizes must agree.
Status joinInputs(KernelContext& context, std::size_t first, std::size_t count, std::int64_t axis);

} // namespace lapidary
