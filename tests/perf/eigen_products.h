// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary::perf {

// Returns the milliseconds of one pass over ResNet-50's convolutions, as im2col and one product
// each by Eigen, compiled for this machine, on one thread.
double eigenResNetMilliseconds();
// Returns the peak rate of fused multiply-adds in registers on this machine, on one thread.
double fmaPeakGflops();

} // namespace lapidary::perf
