// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"

namespace lapidary {

// The peak rates of this machine: floating-point operations in a product of matrices that fit into
// its caches, and bytes read from and written to memory.
struct MachinePeaks {
    double flops = 0; // per second
    double bytes = 0; // per second
    int threads = 1;
};

// Measures the peaks, the best of several tries; takes about half a second.
Result<MachinePeaks> measurePeaks(int threads, const Job& job);

} // namespace lapidary
