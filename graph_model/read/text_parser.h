// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/check/problem.h"
#include "graph_model/read/schema.h"

#include <string>
#include <string_view>

namespace lapidary {

struct TextParseResult {
    std::string encoded; // the message in binary form, as far as it is readable
    Problems problems;   // with line and column
    bool isWhole = true; // false if the rest after a fault is missing
};

// Converts protobuf text to the binary form of the same message. Reports what protobuf's C++ parser
// refuses as problems of severity Error, but continues where the structure is still clear. Fields
// that are not in the schema are left out with a warning.
Result<TextParseResult> parseTextMessage(std::string_view text, MessageId type, const Job& job);

} // namespace lapidary
