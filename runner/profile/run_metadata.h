// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/profile/step_records.h"

#include <string>
#include <string_view>

namespace lapidary {

// Reads the step statistics of a binary RunMetadata.
Result<StepRecords> decodeRunMetadata(std::string_view bytes);
std::string encodeRunMetadata(const StepRecords& step);

} // namespace lapidary
