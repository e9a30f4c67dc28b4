#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; nn.cpp lists them.

} // namespace lapidary::kernels
