// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/value_folder.h"

namespace lapidary {

// Computes small constant tensors with the kernels that run graphs: ops without state or effects
// alone, in at most 16 MiB of memory. What it gives is for one thread at a time.
FoldKernel foldByKernels();

} // namespace lapidary
