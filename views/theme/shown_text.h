// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <string_view>

namespace lapidary {

// Returns bytes of a file as one line of plain text: damaged UTF-8 becomes U+FFFD, a newline a
// pilcrow, other control characters and direction marks a middle dot. The result is never markup.
QString shownText(std::string_view utf8);
QChar shownCharacter(QChar c);

} // namespace lapidary
