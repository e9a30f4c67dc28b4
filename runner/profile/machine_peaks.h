// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"

namespace lapidary {

// What this machine reaches at most: with floats in a product of matrices that fit into its
// caches, and with bytes that come from memory and go there.
struct MachinePeaks {
    double flops = 0; // in a second
    double bytes = 0; // in a second
    int threads = 1;
};

// Measures them within about half a second: the best of several tries.
Result<MachinePeaks> measurePeaks(int threads, const Job& job);

} // namespace lapidary
