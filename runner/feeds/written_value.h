// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/feed.h"

#include <string_view>

namespace lapidary {

// Parses a value that a person wrote: numbers separated by blanks or commas, row-major; "true" and
// "false" for bools. A single number fills every element; otherwise their count must match the
// shape, whose first size, if unknown, is computed from it. An input of unknown rank takes a scalar
// or a vector. For strings, the whole text is one string, or each line is one of several. Errors
// name the wrong word, or both counts.
Result<Value> writtenValue(const FeedTarget& target, std::string_view text, MemoryPool& pool);

} // namespace lapidary
