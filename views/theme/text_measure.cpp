// SPDX-License-Identifier: Apache-2.0
#include "views/theme/text_measure.h"

#include "graph_model/base/utf8.h"
#include "views/theme/canvas_fonts.h"
#include "views/theme/shown_text.h"

#include <QFontMetricsF>
#include <QRawFont>
#include <QString>

namespace lapidary {
namespace {

// Reads the next code point; a damaged byte counts as one replacement character.
char32_t nextCodePoint(std::string_view text, std::size_t& at)
{
    const auto lead = static_cast<unsigned char>(text[at++]);
    if (lead < 0x80)
        return lead;
    const int extra = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    char32_t point = extra == 0 ? 0xFFFD : lead & (0x3F >> extra);
    for (int i = 0; i < extra; ++i) {
        if (at >= text.size() || !continuesUtf8(text[at]))
            return 0xFFFD;
        point = (point << 6) | (static_cast<unsigned char>(text[at++]) & 0x3F);
    }
    return point;
}

constexpr char32_t ellipsis = 0x2026;

// Returns the widths of `count` code points from `first`. Glyphs of the font itself are measured
// together, without shaping a line of text for each. Letters that the font lacks are measured in
// the fonts that replace it.
std::vector<float> advancesOf(const QFont& font, char32_t first, std::size_t count)
{
    QString letters;
    for (std::size_t i = 0; i < count; ++i)
        letters.append(shownCharacter(QChar(char16_t(first + i))));
    const QFontMetricsF metrics(font);
    const QRawFont raw = QRawFont::fromFont(font);
    const QList<quint32> glyphs = raw.glyphIndexesForString(letters);
    const QList<QPointF> advances = raw.advancesForGlyphIndexes(glyphs, QRawFont::SeparateAdvances);
    std::vector<float> widths;
    for (qsizetype i = 0; i < letters.size(); ++i) {
        const bool isKnown = advances.size() == letters.size() && glyphs[i] != 0;
        const double width = isKnown ? advances[i].x() : metrics.horizontalAdvance(letters[i]);
        widths.push_back(float(width / canvasFontScale));
    }
    return widths;
}

} // namespace

std::shared_ptr<const TextMeasure> TextMeasure::make()
{
    std::shared_ptr<TextMeasure> measure(new TextMeasure);
    for (int role = 0; role < roleTables; ++role) {
        const QFont font = canvasFont(TextRole(role));
        Table& table = measure->m_tables[std::size_t(role)];
        table.em = float(textPixels(TextRole(role)));
        table.ellipsis =
            float(QFontMetricsF(font).horizontalAdvance(QChar(ellipsis)) / canvasFontScale);
        table.ascii = advancesOf(font, 0, asciiEnd);
    }
    return measure;
}

float TextMeasure::width(std::string_view utf8, TextRole role) const
{
    const Table& table = m_tables[std::size_t(role)];
    float sum = 0;
    for (std::size_t at = 0; at < utf8.size();) {
        const char32_t c = nextCodePoint(utf8, at);
        sum += c < asciiEnd    ? table.ascii[c]
               : c < tableEnd  ? pageOf(c, role)[c % pageSize]
               : c == ellipsis ? table.ellipsis
                               : table.em;
    }
    return sum;
}

const std::vector<float>& TextMeasure::pageOf(char32_t letter, TextRole role) const
{
    const Page& page = m_tables[std::size_t(role)].pages[letter / pageSize];
    std::call_once(page.isMade, [&] {
        page.advance = advancesOf(canvasFont(role), letter - letter % pageSize, pageSize);
    });
    return page.advance;
}

MeasureText measureCanvasText()
{
    return [tables = TextMeasure::make()](std::string_view text, TextRole role) {
        return tables->width(text, role);
    };
}

} // namespace lapidary
