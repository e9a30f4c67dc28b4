// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/feed.h"
#include "runner/values/memory_pool.h"

namespace lapidary {

// Tells whether an input of this shape takes a picture as [channels, height, width], alone or in a
// batch: one or three channels in front, and another number at the end.
bool takesChannelsFirst(const Shape& shape);

// Returns the value of one input from a picture of the size and in the order of axes that the input
// takes: floats (x - mean) / std, or the pixels themselves for an input of type uint8; the file
// itself for a string, which the graph decodes.
Result<Value> pictureFeed(const FeedTarget& target, const PictureFeed& picture, MemoryPool& pool,
                          const Job& job);

} // namespace lapidary
