// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {

// The parameters of SpaceToBatch and BatchToSpace: the block of each of the axes 1..M, and the
// sizes of the padding or crop before and after it.
struct BlockSpec {
    std::vector<std::int64_t> block;
    std::vector<std::int64_t> pairs;
    std::int64_t product = 1;
};

// Reads inputs 1 (block_shape) and 2 of the ND ops, or attribute `block_size` and input 1 of the
// older ones.
Result<BlockSpec> readBlockSpec(const KernelContext& context, std::string_view pairsName);

// Returns the plan that copies the elements at one position of the block, as far as they are inside
// the space: `to` is the tensor whose batch holds the blocks, `from` the other one.
CopyPlan planOfBlockPlace(const BlockSpec& spec, const Dims& space, const Dims& blocks,
                          std::int64_t place);

} // namespace lapidary
