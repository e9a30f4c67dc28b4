#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; linear.cpp lists them.
extern const Kernel batchMatMul;
extern const Kernel batchMatMulV2;
extern const Kernel einsum;
extern const Kernel matMul;

} // namespace lapidary::kernels
