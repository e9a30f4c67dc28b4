// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"

namespace lapidary {

// The peaks of this machine: floating-point operations in a product of matrices that fit into its
// caches, and bytes read from and written to memory.
struct MachinePeaks {
    double flops = 0; // in a second
    double bytes = 0; // in a second
    int threads = 1;
};

// Measures them within about half a second: the best of several tries.
Result<MachinePeaks> measurePeaks(int threads, const Job& job);

} // namespace lapidary
