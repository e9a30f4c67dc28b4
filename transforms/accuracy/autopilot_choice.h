// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/autopilot.h"

namespace lapidary {

bool holdsAccuracy(const AutopilotPoint& point, const AutopilotOptions& options);
// Returns the size that the options limit: that of the file, that of the compressed file, or
// nanoseconds.
std::int64_t sizeOf(const AutopilotPoint& point, const AutopilotOptions& options);
std::optional<std::int64_t> mostSize(const AutopilotOptions& options);

// Sorts the points, finds the front and the point that holds the budget or is nearest to it, and
// says why.
void choosePoint(Autopilot& found, const AutopilotOptions& options);

} // namespace lapidary
