// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/feed.h"

#include <string_view>

namespace lapidary {

// The value that a person wrote: numbers between blanks or commas, row-major; "true" and "false"
// for bools. A single number fills every element; other counts must be that of the shape, whose
// first size follows from them where it is unknown. An input of unknown rank takes a scalar or a
// vector. For strings, the text is the one string, or each line one of several. Errors name the
// word that is wrong, or both counts.
Result<Value> writtenValue(const FeedTarget& target, std::string_view text, MemoryPool& pool);

} // namespace lapidary
