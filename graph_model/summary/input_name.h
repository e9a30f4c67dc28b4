// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// Returns the node part of an input string as the original transforms split it: everything before
// the first colon, without a leading caret.
inline std::string_view nodeNameOfInput(std::string_view text)
{
    text = text.substr(0, text.find(':'));
    if (text.starts_with('^'))
        text.remove_prefix(1);
    return text;
}

} // namespace lapidary
