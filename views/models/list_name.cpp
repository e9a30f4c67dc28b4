// SPDX-License-Identifier: Apache-2.0
#include "views/models/list_name.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype shortestPart = 5;

// A hidden part is empty; several of them in a row are one "…".
QString joined(const ListName& name)
{
    QString text;
    bool wasHidden = false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool isHidden = name[i].text.isEmpty();
        if (isHidden && wasHidden)
            continue;
        text += (i > 0 ? u"/"_s : QString()) + (isHidden ? u"\u2026"_s : name[i].text);
        wasHidden = isHidden;
    }
    return text;
}

QString cut(const QString& text, qsizetype length)
{
    if (text.size() <= length)
        return text;
    const qsizetype head = (length - 1) / 2;
    return text.left(head) + u'\u2026' + text.right(length - 1 - head);
}

} // namespace

QString shortened(const ListName& name, const std::function<bool(const QString&)>& fits)
{
    ListName left = name;
    QString text = joined(left);
    for (const auto worth : {ListNamePart::Worth::Common, ListNamePart::Worth::Varies})
        for (std::size_t i = 0; i + 1 < left.size() && !fits(text); ++i) {
            if (left[i].worth != worth)
                continue;
            left[i].text.clear();
            text = joined(left);
        }
    qsizetype longest = 0;
    for (const ListNamePart& part : left)
        longest = std::max(longest, part.text.size());
    for (; longest > shortestPart && !fits(text); --longest) {
        ListName tighter = left;
        for (ListNamePart& part : tighter)
            part.text = cut(part.text, longest - 1);
        text = joined(tighter);
    }
    return text;
}

} // namespace lapidary
