// SPDX-License-Identifier: Apache-2.0
#include "views/models/list_name.h"

#include <algorithm>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype shortestPart = 5;

// Joins the parts. A hidden part is empty; several of them in a row become one "…".
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

// Elides a text in the middle, or elsewhere if that would remove the letter at `kept`.
QString cut(const QString& text, qsizetype length, qsizetype kept)
{
    if (text.size() <= length)
        return text;
    qsizetype head = (length - 1) / 2;
    const bool isCutAway = kept >= head && kept < text.size() - (length - 1 - head);
    if (isCutAway && kept + 2 < length)
        head = kept + 1;
    else if (isCutAway && text.size() - kept + 1 < length)
        head = length - 1 - (text.size() - kept);
    else if (isCutAway)
        return u'\u2026' + text.mid(kept - (length - 2) / 2, length - 2) + u'\u2026';
    return text.left(head) + u'\u2026' + text.right(length - 1 - head);
}

// Returns the name with as much of the last hidden part as fits.
QString withRest(ListName name, std::size_t part, const QString& whole,
                 const std::function<bool(const QString&)>& fits)
{
    const QString without = joined(name);
    for (qsizetype length = whole.size() - 1; length >= shortestPart; --length) {
        name[part].text = cut(whole, length, name[part].differsAt);
        if (const QString text = joined(name); fits(text))
            return text;
    }
    return without;
}

ListName partsOf(const QStringList& texts, ListNamePart::Worth worth)
{
    ListName parts;
    for (const QString& text : texts)
        parts.push_back({text, worth});
    return parts;
}

// Returns the index of the first letter at which two texts differ.
qsizetype differenceOf(const QString& text, const QString& other)
{
    const auto [own, its] = std::ranges::mismatch(text, other);
    return own - text.begin();
}

// Marks the parts that the name does not share with a neighbor. Parts that are the same at the
// start and at the end are worth least; of the others, the last part is worth most.
void markDifference(ListName& parts, const QStringList& other)
{
    using Worth = ListNamePart::Worth;
    const auto size = qsizetype(parts.size());
    const qsizetype most = std::min(size, other.size());
    qsizetype first = 0;
    while (first < most && parts[std::size_t(first)].text == other[first])
        ++first;
    qsizetype last = size - 1;
    const qsizetype shift = other.size() - size;
    while (last >= first && last + shift >= first &&
           parts[std::size_t(last)].text == other[last + shift])
        --last;
    for (qsizetype i = first; i <= last; ++i) {
        ListNamePart& part = parts[std::size_t(i)];
        if (i < last && part.worth == Worth::Common)
            part.worth = Worth::Varies;
        if (i < last)
            continue;
        part.worth = Worth::Differs;
        if (last + shift >= first)
            part.differsAt = differenceOf(part.text, other[last + shift]);
    }
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
            part.text = cut(part.text, longest - 1, part.differsAt);
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
    // A short text after a name is kept: "a/b <- 3".
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
    QStringList others = neighbors;
    others.removeAll(name);
    using Worth = ListNamePart::Worth;
    ListName parts = partsOf(name.split(u'/'), others.empty() ? Worth::Varies : Worth::Common);
    for (const QString& other : others)
        markDifference(parts, other.split(u'/'));
    return shortened(parts, fits);
}

} // namespace lapidary
