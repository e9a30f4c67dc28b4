// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/feed.h"
#include "runner/values/memory_pool.h"

#include <string_view>

namespace lapidary {

// Returns the value of an input of numbers from the bytes of a WAV file: floats from -1 to 1, as
// DecodeWav makes them, or the samples themselves for int16. The first of these that fits the
// input's shape, where n is the number of samples and c that of channels: [n] and [1, n] for a
// sound of one channel, [n, c], [1, n, c], [1, c, n]. Errors say how many samples and channels the
// file has and what the input takes.
Result<Value> soundFeed(const FeedTarget& target, std::string_view path, std::string_view bytes,
                        MemoryPool& pool);

} // namespace lapidary
