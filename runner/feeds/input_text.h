// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/feed.h"

#include <string>

namespace lapidary {

// "input 'x:0'", as messages on a feed begin.
inline std::string inputText(const FeedTarget& target)
{
    return "input '" + target.tensor + "'";
}

} // namespace lapidary
