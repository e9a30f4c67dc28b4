// SPDX-License-Identifier: Apache-2.0
#include "transforms/match/glob.h"

#include <cstddef>

namespace lapidary {

bool fitsGlob(std::string_view text, std::string_view glob)
{
    std::size_t at = 0;
    std::size_t in = 0;
    std::size_t star = std::string_view::npos; // the last star, which may match more
    std::size_t taken = 0;                     // where the text after it began
    while (at < text.size()) {
        if (in < glob.size() && glob[in] == '*') {
            star = in++;
            taken = at;
        } else if (in < glob.size() && (glob[in] == '?' || glob[in] == text[at])) {
            ++in;
            ++at;
        } else if (star != std::string_view::npos) {
            in = star + 1;
            at = ++taken;
        } else {
            return false;
        }
    }
    while (in < glob.size() && glob[in] == '*')
        ++in;
    return in == glob.size();
}

} // namespace lapidary
