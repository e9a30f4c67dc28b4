#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// checks.cpp lists them.
extern const Kernel assertOp;
extern const Kernel print;
extern const Kernel printV2;

} // namespace lapidary::kernels
