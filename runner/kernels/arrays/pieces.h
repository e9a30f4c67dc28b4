// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {

// A run of `size` elements along one axis: they are read from `from` on, in steps of `step` (1 or
// -1), and written from `to` on.
struct AxisPiece {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t size = 0;
    std::int64_t step = 1;
};

// Copies all combinations of one piece of each axis (Roll, MirrorPad).
Status copyPieces(const KernelContext& context, const Value& from, Value& to,
                  const std::vector<std::vector<AxisPiece>>& pieces);

} // namespace lapidary
