// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/kernels/parsing/example.h"

#include <string>
#include <vector>

namespace lapidary {

// The features that a node requests. Its outputs are the indices, the values and the shapes of the
// sparse ones, then the dense ones, then values and splits of the ragged ones.
struct FeatureRequest {
    std::vector<std::string> sparseKeys;
    std::vector<DType> sparseTypes;
    std::vector<std::string> denseKeys;
    std::vector<DType> denseTypes;
    std::vector<Shape> denseShapes;
    std::vector<std::string> raggedKeys;
    std::vector<DType> raggedTypes;
    std::vector<DType> splitTypes;
    std::size_t firstDefault = 0; // index of the input with the first default
    bool isSingle = false;        // one example; outputs have no dimension for the batch
};

// Sets the outputs. The caller must make sure that the numbers of keys, types, shapes, defaults and
// outputs agree.
Status giveFeatures(KernelContext& context, const FeatureRequest& request,
                    const std::vector<Example>& examples);

// Writes the values of a feature into [at, at + its size) of a value of its type.
void copyFeature(const ExampleFeature& feature, Value& out, std::size_t at);

} // namespace lapidary
