// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

// Returns the share of right answers that a graph with this noise at its outputs may lose: the
// worst of 234 quantized forms of four networks with labeled data, for the decibels that they had.
double expectedLoss(double sqnrDb);

} // namespace lapidary
