// SPDX-License-Identifier: Apache-2.0
#include "runner/shapes/infer_shapes.h"

#include "runner/shapes/fold_kernel.h"

namespace lapidary {

Result<InferredShapes> inferShapes(const Graph& graph, const ShapeOptions& options, const Job& job)
{
    return propagateShapes(graph, options, foldByKernels(), job);
}

} // namespace lapidary
