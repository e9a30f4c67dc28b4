#pragma once

#include <QString>

#include <string_view>

namespace lapidary {

// Bytes of a file as one line of plain text: damaged UTF-8 becomes U+FFFD, a newline a pilcrow,
// other control characters and direction marks a middle dot. Never markup.
QString shownText(std::string_view utf8);
QChar shownCharacter(QChar c);

} // namespace lapidary
