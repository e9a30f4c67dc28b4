#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// z = (x == y) == wanted with broadcasting, for every type that has equality, strings included.
Status compareEqual(KernelContext& context, bool wanted);

} // namespace lapidary
