// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/feeds/feed_source.h"

#include <string>
#include <string_view>

namespace lapidary {

// Parses the text form of a source, as people write it and files store it: FILE, image:FILE,
// image:FILE:MEAN:STD, image:FILE:RED,GREEN,BLUE:STD, each picture optionally followed by :bgr,
// zeros, ones, random, random:SEED, random:SEED:LOW:HIGH, value:NUMBERS.
Result<FeedSource> parseFeedSource(std::string_view text);
// Returns the text that parseFeedSource() reads as the same source; empty for values and for
// FedLater, which have none.
std::string feedSourceText(const FeedSource& source);

} // namespace lapidary
