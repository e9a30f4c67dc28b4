// SPDX-License-Identifier: Apache-2.0
#include "views/models/list_name.h"

#include <algorithm>
#include <utility>

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

// Returns the name with as much of the part that was hidden last as there is room for.
QString withRest(ListName name, std::size_t part, const QString& whole,
                 const std::function<bool(const QString&)>& fits)
{
    const QString without = joined(name);
    for (qsizetype length = whole.size() - 1; length >= shortestPart; --length) {
        name[part].text = cut(whole, length);
        if (const QString text = joined(name); fits(text))
            return text;
    }
    return without;
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
            const QString whole = std::exchange(left[i].text, QString());
            text = joined(left);
            if (worth == ListNamePart::Worth::Varies && fits(text))
                text = withRest(left, i, whole, fits);
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
    for (std::size_t i = 0; i + 1 < left.size() && !fits(text); ++i) {
        left[i].text.clear();
        text = joined(left);
    }
    return text;
}

QString shortenedPath(const QString& name, const std::function<bool(const QString&)>& fits,
                      const QStringList& neighbors)
{
    // What stands behind a name stays: "a/b <- 3".
    const qsizetype end = name.contains(u' ') ? name.indexOf(u' ') : name.size();
    const QString behind = name.mid(end);
    constexpr qsizetype longestBehind = 6;
    if (fits(name) || behind.size() > longestBehind || !name.left(end).contains(u'/'))
        return name;
    if (!behind.isEmpty())
        return shortenedPath(
                   name.left(end), [&](const QString& text) { return fits(text + behind); },
                   neighbors) +
               behind;
    std::vector<QStringList> others;
    for (const QString& neighbor : neighbors)
        if (neighbor != name)
            others.push_back(neighbor.split(u'/'));
    ListName parts;
    for (const QString& part : name.split(u'/')) {
        const auto at = qsizetype(parts.size());
        const bool isShared = std::ranges::all_of(
            others, [&](const QStringList& other) { return other.value(at) == part; });
        const bool isCommon = isShared && !others.empty();
        parts.push_back(
            {part, isCommon ? ListNamePart::Worth::Common : ListNamePart::Worth::Varies});
    }
    return shortened(parts, fits);
}

} // namespace lapidary
