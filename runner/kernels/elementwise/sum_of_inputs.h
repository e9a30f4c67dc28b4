#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Output 0 is the sum of all inputs, which must have one shape; integers wrap.
Status sumInputs(KernelContext& context);

} // namespace lapidary
