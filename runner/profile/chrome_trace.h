#pragma once

#include "graph_model/base/result.h"
#include "runner/profile/step_records.h"

#include <string>
#include <string_view>

namespace lapidary {

// The complete events ("ph": "X") of a Chrome trace, one device a process. TensorFlow's timelines
// name the node in "args"; in other traces the event's own name is taken.
Result<StepRecords> decodeChromeTrace(std::string_view json);
// In the form of TensorFlow's timeline: what chrome://tracing and Perfetto open.
std::string encodeChromeTrace(const StepRecords& step);

} // namespace lapidary
