// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary::perf {

// ResNet-50's convolutions as im2col and one product each by Eigen, built for this machine, one
// thread: milliseconds of one pass.
double eigenResNetMilliseconds();
// Returns the peak of fused multiply-adds in registers here, one thread.
double fmaPeakGflops();

} // namespace lapidary::perf
