// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/text_cache.h"

#include "views/theme/canvas_fonts.h"
#include "views/theme/shown_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::size_t mostEntries = 20'000;
constexpr double smallestText = 6;
constexpr double smallestName = 6.6; // smaller names are drawn as far titles, which are larger
constexpr double fadeShare = 0.1;
// A picture may stay at this zoom, so its texts must be readable.
constexpr double faintest = 0.8;
constexpr qsizetype longestText = 2'000; // longer names are not useful to anyone

QFont faceFont(int role)
{
    return canvasFont(TextRole(role));
}

// Elides a text to a width. If it was already elided in its middle, more of it is removed there.
QString cutText(const QFontMetricsF& metrics, const QString& text, Qt::TextElideMode mode,
                double room)
{
    if (mode != Qt::ElideMiddle || !text.contains(u'\u2026'))
        return metrics.elidedText(text, mode, room);
    QString head = text.left(text.indexOf(u'\u2026'));
    QString tail = text.mid(text.lastIndexOf(u'\u2026'));
    while (metrics.horizontalAdvance(head + tail) > room && (!head.isEmpty() || tail.size() > 1)) {
        if (head.size() >= tail.size())
            head.chop(1);
        else
            tail.remove(1, 1);
    }
    return metrics.horizontalAdvance(head + tail) > room ? QString() : head + tail;
}

} // namespace

TextCache::TextCache()
    : m_faces{{{faceFont(0), QFontMetricsF(faceFont(0))},
               {faceFont(1), QFontMetricsF(faceFont(1))},
               {faceFont(2), QFontMetricsF(faceFont(2))},
               {faceFont(3), QFontMetricsF(faceFont(3))},
               {faceFont(4), QFontMetricsF(faceFont(4))},
               {faceFont(5), QFontMetricsF(faceFont(5))}}}
{
}

TextCache::Entry TextCache::made(const QString& text, TextRole role) const
{
    const Face& face = m_faces[std::size_t(role)];
    Entry entry;
    entry.text.setTextFormat(Qt::PlainText);
    entry.text.setPerformanceHint(QStaticText::AggressiveCaching);
    entry.text.setText(text);
    entry.text.prepare({}, face.font);
    entry.width = face.metrics.horizontalAdvance(text);
    return entry;
}

const TextCache::Entry& TextCache::entry(const std::string& text, TextRole role)
{
    auto& entries = m_entries[std::size_t(role)];
    if (const auto known = entries.find(text); known != entries.end())
        return known->second;
    if (entries.size() >= mostEntries)
        entries.clear();
    return entries.emplace(text, made(shownText(text).left(longestText), role)).first->second;
}

const TextCache::Entry& TextCache::cutEntry(const Line& line, double room)
{
    const int whole = int(std::max(0.0, std::floor(room)));
    std::string key = line.text + '\n' + std::to_string(whole) + '\n' +
                      std::to_string(int(line.role)) + '\n' + std::to_string(int(line.elide));
    if (const auto known = m_cut.find(key); known != m_cut.end())
        return known->second;
    if (m_cut.size() >= mostEntries)
        m_cut.clear();
    const QString cut = cutText(m_faces[std::size_t(line.role)].metrics,
                                shownText(line.text).left(longestText), line.elide, whole);
    return m_cut.emplace(std::move(key), made(cut, line.role)).first->second;
}

double TextCache::width(const std::string& text, TextRole role)
{
    return entry(text, role).width / canvasFontScale;
}

bool TextCache::isTooLong(const Line& line, double factor)
{
    return entry(line.text, line.role).width * factor > line.room + 0.5;
}

QString TextCache::cut(const Line& line, double scale)
{
    const double factor = scale / canvasFontScale;
    return isTooLong(line, factor) ? cutEntry(line, line.room / factor).text.text() : QString();
}

double TextCache::draw(QPainter& painter, const Line& line, double scale)
{
    if (line.text.empty() || line.room <= 0)
        return 0;
    const double factor = scale / canvasFontScale;
    const Entry* shown = isTooLong(line, factor) ? &cutEntry(line, line.room / factor)
                                                 : &entry(line.text, line.role);
    const Face& face = m_faces[std::size_t(line.role)];
    const double width = shown->width * factor;
    const double left = line.align == Align::Left     ? line.anchor.x()
                        : line.align == Align::Center ? line.anchor.x() - width / 2
                                                      : line.anchor.x() - width;
    const double baseline = line.anchor.y() + face.metrics.capHeight() * factor / 2;
    painter.save();
    painter.translate(left, baseline - face.metrics.ascent() * factor);
    painter.scale(factor, factor);
    painter.setFont(face.font);
    painter.drawStaticText(QPointF(0, 0), shown->text);
    painter.restore();
    return width;
}

double textOpacity(TextRole role, double scale)
{
    // Far titles replace headings at zooms at which the names of ops can no longer be read.
    const TextRole shown = role == TextRole::Heading ? TextRole::Name : role;
    const double pixels = textPixels(shown) * scale;
    const double smallest = shown == TextRole::Name ? smallestName : smallestText;
    const double share = std::clamp((pixels - smallest) / (smallest * fadeShare), 0.0, 1.0);
    if (share <= 0)
        return 0;
    return faintest + (1 - faintest) * share;
}

} // namespace lapidary
