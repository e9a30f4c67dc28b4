// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/known_tensor.h"

namespace lapidary {

TensorLabel knownTensor(const Graph& graph, const InferredShapes* shapes, Endpoint tensor)
{
    const TensorLabel* inferred = shapes != nullptr ? shapes->find(tensor) : nullptr;
    TensorLabel label;
    if (inferred != nullptr)
        label = *inferred;
    if (inferred == nullptr || label.dtype == DType::Invalid || label.shape.unknownRank) {
        const TensorFacts declared = declaredFacts(graph, tensor);
        if (label.dtype == DType::Invalid)
            label.dtype = declared.dtype;
        if (label.shape.unknownRank && declared.shape) {
            label.shape = *declared.shape;
            label.source = LabelSource::Declared;
        }
    }
    label.dtype = withoutReference(label.dtype);
    return label;
}

} // namespace lapidary
