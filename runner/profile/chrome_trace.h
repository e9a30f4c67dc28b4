// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/profile/step_records.h"

#include <string>
#include <string_view>

namespace lapidary {

// Reads the complete events ("ph": "X") of a Chrome trace, one device for each process.
// TensorFlow's timelines name the node in "args"; in other traces the event's own name is used.
Result<StepRecords> decodeChromeTrace(std::string_view json);
// Returns the JSON form of TensorFlow's timeline, which chrome://tracing and Perfetto open.
std::string encodeChromeTrace(const StepRecords& step);

} // namespace lapidary
