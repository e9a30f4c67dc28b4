// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/value_folder.h"

namespace lapidary {

// Computes small constant tensors with the kernels that run graphs: only ops without state or
// effects, in at most 16 MiB of memory. The returned function may be used by one thread at a time.
FoldKernel foldByKernels();

} // namespace lapidary
