// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <QFontMetricsF>
#include <QStaticText>

#include <array>
#include <string>
#include <unordered_map>

class QPainter;

namespace lapidary {

// Canvas texts, laid out once and drawn at any zoom. GUI thread only.
class TextCache {
public:
    TextCache();

    enum class Align : std::uint8_t { Left, Center, Right };
    struct Line {
        const std::string& text;
        TextRole role = TextRole::Name;
        Align align = Align::Left;
        // on screen: the left end, center or right end of the line's vertical middle
        QPointF anchor;
        double room = 0; // on screen; longer texts are elided
        Qt::TextElideMode elide = Qt::ElideMiddle;
    };
    // Draws with the painter's pen at `scale` pixels per scene unit; returns the width on screen.
    double draw(QPainter& painter, const Line& line, double scale);
    // Returns the elided text as it would be drawn; empty if the whole text fits.
    QString cut(const Line& line, double scale);
    double width(const std::string& text, TextRole role); // scene units

private:
    struct Face {
        QFont font;
        QFontMetricsF metrics;
    };
    struct Entry {
        QStaticText text;
        double width = 0; // in the font's own size
    };
    const Entry& entry(const std::string& text, TextRole role);
    bool isTooLong(const Line& line, double factor);
    const Entry& cutEntry(const Line& line, double room);
    Entry made(const QString& text, TextRole role) const;

    std::array<Face, 6> m_faces;
    std::array<std::unordered_map<std::string, Entry>, 6> m_entries; // by role, then text
    // elided texts, with the width they were elided to
    std::unordered_map<std::string, Entry> m_cut;
};

// Returns the opacity of a text: 0 if this role would be under 6 px on screen, 1 from 10 % more
// zoom on. Headings come and go with names.
double textOpacity(TextRole role, double scale);

} // namespace lapidary
