// SPDX-License-Identifier: Apache-2.0
#include "views/theme/shown_text.h"

namespace lapidary {

QChar shownCharacter(QChar c)
{
    const char16_t code = c.unicode();
    if (code == u'\n' || code == u'\r')
        return QChar(u'\u00B6');
    const bool isControl = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool isDirection = (code >= 0x200B && code <= 0x200F) ||
                             (code >= 0x2028 && code <= 0x202E) ||
                             (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
    return isControl || isDirection ? QChar(u'\u00B7') : c;
}

QString shownText(std::string_view utf8)
{
    QString text = QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
    for (QChar& c : text)
        c = shownCharacter(c);
    return text;
}

} // namespace lapidary
