// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// A gather along one axis: for each of `batches` and each of `outer`, `count` rows of `inner`
// elements, picked out of `limit` rows by the batch's indices.
struct GatherPlan {
    std::int64_t batches = 1;
    std::int64_t outer = 1;
    std::int64_t limit = 0;
    std::int64_t count = 0;
    std::int64_t inner = 1;
};

// Fails with an error that names the first index which is not in [0, limit).
Status checkIndices(const KernelContext& context, const Value& indices, std::int64_t limit);
Status gatherRows(const KernelContext& context, const Value& params, const Value& indices,
                  Value& to, const GatherPlan& plan);

} // namespace lapidary
