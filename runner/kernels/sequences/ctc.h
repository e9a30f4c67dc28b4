// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <vector>

namespace lapidary {

using Labels = std::vector<std::int64_t>;

// The sizes of the inputs of the CTC decoders: scores [time, batch, classes] and the length of each
// sequence.
struct CtcShape {
    std::int64_t time = 0;
    std::int64_t batch = 0;
    std::int64_t classes = 0; // the last one is the blank
};
Result<CtcShape> ctcShape(const KernelContext& context);

// Makes one sparse matrix from the labels of each sequence: its indices, values and shape are the
// outputs `path`, `paths + path` and `2 * paths + path`.
Status setDecoded(KernelContext& context, std::size_t path, std::size_t paths,
                  const std::vector<Labels>& sequences);

} // namespace lapidary
