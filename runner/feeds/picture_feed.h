// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/feed.h"
#include "runner/values/memory_pool.h"

namespace lapidary {

// Returns whether an input of this shape takes a picture as [channels, height, width], alone or in
// a batch: the first size after the batch is one or three, and the last one is known and neither.
bool takesChannelsFirst(const Shape& shape);

// Makes the value of one input from a picture, with the size and order of axes of the input: floats
// (x - mean) / std, or the pixels themselves for an input of type uint8. For a string, which the
// graph decodes, the value is the file itself.
Result<Value> pictureFeed(const FeedTarget& target, const PictureFeed& picture, MemoryPool& pool,
                          const Job& job);

} // namespace lapidary
