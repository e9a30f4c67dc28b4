// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/feed.h"
#include "runner/values/memory_pool.h"

namespace lapidary {

// Returns the value of one input from a picture: floats (x - mean) / std of the size that the input
// takes; bytes, as decoded, for an input of type uint8; the file itself for a string, which the
// graph decodes.
Result<Value> pictureFeed(const FeedTarget& target, const PictureFeed& picture, MemoryPool& pool,
                          const Job& job);

} // namespace lapidary
