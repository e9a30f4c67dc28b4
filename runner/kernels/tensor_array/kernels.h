#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; tensor_array.cpp lists them.

} // namespace lapidary::kernels
