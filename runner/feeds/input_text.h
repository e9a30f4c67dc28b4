// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/feed.h"

#include <string>

namespace lapidary {

// Returns "input 'x:0'", the beginning of messages about a feed.
inline std::string inputText(const FeedTarget& target)
{
    return "input '" + target.tensor + "'";
}

} // namespace lapidary
