// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Output 0: the inverses of input 0, or with `hasRight` the solutions x of A x = b for input 1.
// Attribute adjoint: of the conjugate transpose. A singular matrix is an error.
Status solveMatrices(KernelContext& context, bool hasRight);

} // namespace lapidary
