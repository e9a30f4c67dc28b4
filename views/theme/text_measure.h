// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <array>
#include <memory>
#include <string_view>
#include <vector>

namespace lapidary {

// Widths of canvas texts without a QFontMetrics, so that layout may run on any thread. Made once on
// the GUI thread. Letters outside the table (beyond Latin, Greek, Cyrillic and a few signs) count
// as a full em, which is the width of CJK and wider than most others.
class TextMeasure {
public:
    static std::shared_ptr<const TextMeasure> make();

    float width(std::string_view utf8, TextRole role) const;

private:
    TextMeasure() = default;

    static constexpr int roleTables = 6;
    static constexpr char32_t tableEnd = 0x530;
    struct Table {
        std::vector<float> advance; // by code point below tableEnd
        float ellipsis = 0;
        float em = 0;
    };
    std::array<Table, roleTables> m_tables;
};

// Returns the TextMeasure that layout takes; it keeps the tables alive.
MeasureText measureCanvasText();

} // namespace lapidary
