// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Sets output 0 to the inverses of input 0, or with `hasRight` to the solutions x of A x = b, with
// A in input 0 and b in input 1. With the attribute `adjoint`, uses the conjugate transposes of
// input 0. A singular matrix is an error.
Status solveMatrices(KernelContext& context, bool hasRight);

} // namespace lapidary
