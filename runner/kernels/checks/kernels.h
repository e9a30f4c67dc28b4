#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; checks.cpp lists them.

} // namespace lapidary::kernels
