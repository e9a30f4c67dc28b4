#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; linear.cpp lists them.
extern const Kernel batchMatMul;
extern const Kernel batchMatMulV2;
extern const Kernel cholesky;
extern const Kernel diag;
extern const Kernel diagPart;
extern const Kernel einsum;
extern const Kernel fusedProduct;
extern const Kernel matMul;
extern const Kernel matrixBandPart;
extern const Kernel matrixDeterminant;
extern const Kernel matrixDiag;
extern const Kernel matrixDiagPart;
extern const Kernel matrixDiagPartV2;
extern const Kernel matrixDiagV2;
extern const Kernel matrixInverse;
extern const Kernel matrixSetDiag;
extern const Kernel matrixSetDiagV2;
extern const Kernel matrixSolve;

} // namespace lapidary::kernels
