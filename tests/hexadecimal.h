// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lapidary {

// Returns the bytes of a text of hexadecimal digits; other characters are ignored.
inline std::string bytesOf(std::string_view hexadecimal)
{
    std::string bytes;
    int half = -1;
    for (const char c : hexadecimal) {
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0)
            continue;
        if (half < 0) {
            half = digit;
            continue;
        }
        bytes += char(half * 16 + digit);
        half = -1;
    }
    return bytes;
}

} // namespace lapidary
