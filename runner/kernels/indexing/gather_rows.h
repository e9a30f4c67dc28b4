// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// A gather along one axis: for each of `batches` and each of `outer`, copies `count` rows of
// `inner` elements, which the batch's indices choose among `limit` rows.
struct GatherPlan {
    std::int64_t batches = 1;
    std::int64_t outer = 1;
    std::int64_t limit = 0;
    std::int64_t count = 0;
    std::int64_t inner = 1;
};

// Fails if an index is not in [0, limit); the error names the first one.
Status checkIndices(const KernelContext& context, const Value& indices, std::int64_t limit);
Status gatherRows(const KernelContext& context, const Value& params, const Value& indices,
                  Value& to, const GatherPlan& plan);

} // namespace lapidary
