#pragma once

#include "runner/feeds/feed.h"
#include "runner/values/memory_pool.h"

#include <string_view>

namespace lapidary {

// A value for one input from a picture, written FILE or FILE:MEAN:STD (else 0 and 255,
// label_image's defaults): floats (x - mean) / std of the size that the input takes; bytes, as
// decoded, for an input of type uint8; the file itself for a string, which the graph decodes.
Result<Value> pictureFeed(const FeedTarget& target, std::string_view source, MemoryPool& pool,
                          const Job& job);

} // namespace lapidary
