// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>

namespace lapidary {

// How the values of one tensor differ from those of another of the same type and shape. Differences
// are those of finite values; complex numbers differ by the magnitude of their difference.
struct TensorChange {
    std::int64_t elements = 0;
    std::int64_t changed = 0;
    std::int64_t nonFinite = 0; // number of changed elements with a NaN or an infinity on one side
    bool isNumeric = true;      // strings are only counted
    double maxAbs = 0;
    double maxRel = 0;         // magnitude of the value before
    double meanAbs = 0;        // over all elements
    double rootMeanSquare = 0; // over all elements

    bool isSame() const { return changed == 0; }
};

// Reads the files in small pieces, without copying whole tensors; equal pieces are only compared.
// O(stored values), however many elements a splat represents.
Result<TensorChange> compareTensors(const Tensor& before, const Tensor& after, const Job& job);

} // namespace lapidary
