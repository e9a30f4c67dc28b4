#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; indexing.cpp lists them.

} // namespace lapidary::kernels
