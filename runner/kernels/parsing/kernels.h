#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; parsing.cpp lists them.

} // namespace lapidary::kernels
