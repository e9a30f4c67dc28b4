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
    std::string encoded; // the message in binary form, as far as it could be read
    Problems problems;   // with line and column
    bool isWhole = true; // false if the rest after a fault is missing
};

// Reads protobuf text into the binary form of the same message. Refuses what protobuf's C++ parser
// refuses (each a problem of severity Error), but goes on where the structure is still clear.
// Fields that the schema does not know are left out with a warning.
Result<TextParseResult> parseTextMessage(std::string_view text, MessageId type, const Job& job);

} // namespace lapidary
