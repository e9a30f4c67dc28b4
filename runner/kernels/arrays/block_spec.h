// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {

// Describes what SpaceToBatch and BatchToSpace share: the block of each of the axes 1..M, and how
// much is padded or cropped before and after it.
struct BlockSpec {
    std::vector<std::int64_t> block;
    std::vector<std::int64_t> pairs;
    std::int64_t product = 1;
};

// Reads inputs 1 (block_shape) and 2 of the ND ops, or attribute `block_size` and input 1 of the
// older ones.
Result<BlockSpec> readBlockSpec(const KernelContext& context, std::string_view pairsName);

// Returns the copy of the elements at one position of the block: those inside the space, in the
// tensor whose batch holds the blocks (`plan.to`) and in the other one (`plan.from`).
CopyPlan planOfBlockPlace(const BlockSpec& spec, const Dims& space, const Dims& blocks,
                          std::int64_t place);

} // namespace lapidary
