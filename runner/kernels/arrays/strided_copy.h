// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <vector>

namespace lapidary {

// One axis of a copy: the number of steps, and the distance between them in both tensors, in
// elements (0 repeats the same one, negative goes backwards).
struct CopyAxis {
    std::int64_t size = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
};

struct CopyPlan {
    std::vector<CopyAxis> axes;
    std::int64_t fromOffset = 0;
    std::int64_t toOffset = 0;
};

// to[toOffset + sum i*axis.to] = from[fromOffset + sum i*axis.from] for all indices. The caller
// makes sure that every index is inside both tensors and that no element of `to` is written twice.
// About as fast as memcpy if rows are contiguous.
Status stridedCopy(const KernelContext& context, const Value& from, Value& to, CopyPlan plan);

// Returns the distances, in elements, of neighbors along each axis of a row-major tensor.
Dims rowMajorStrides(const Dims& dims);

// Fill `to` with the one element of `scalar`, or with zeros (empty strings).
Status fillWith(const KernelContext& context, Value& to, const Value& scalar);
Status fillWithZeros(const KernelContext& context, Value& to);

} // namespace lapidary
