// SPDX-License-Identifier: Apache-2.0
#include "views/theme/canvas_fonts.h"

#include <QGuiApplication>

#include <cmath>

namespace lapidary {

double textPixels(TextRole role)
{
    switch (role) {
    case TextRole::Name: return 12;
    case TextRole::Muted: return 11;
    case TextRole::Heading: return 13;
    case TextRole::EdgeLabel:
    case TextRole::InferredLabel:
    case TextRole::Chip: return 10.5;
    }
    return 12;
}

QFont canvasFont(TextRole role)
{
    QFont font = QGuiApplication::font();
    font.setPixelSize(int(std::lround(textPixels(role) * canvasFontScale)));
    font.setWeight(role == TextRole::Heading ? QFont::DemiBold : QFont::Normal);
    font.setItalic(role == TextRole::InferredLabel);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setKerning(false); // widths are sums of advances: see TextMeasure
    return font;
}

} // namespace lapidary
