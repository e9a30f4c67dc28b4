// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <array>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace lapidary {

// Widths of canvas texts, for layout on any thread. Created on the GUI thread with the letters of
// ASCII; pages of other letters are added when a text has one of them, since asking fonts is slow
// and few graphs have such letters. Letters beyond the pages (beyond Latin, Greek, Cyrillic and a
// few signs) count as a full em, which is the width of CJK and wider than most others.
class TextMeasure {
public:
    static std::shared_ptr<const TextMeasure> make();

    float width(std::string_view utf8, TextRole role) const;

private:
    TextMeasure() = default;
    const std::vector<float>& pageOf(char32_t letter, TextRole role) const;

    static constexpr int roleTables = 6;
    static constexpr char32_t asciiEnd = 0x80;
    static constexpr char32_t pageSize = 0x10;
    static constexpr char32_t tableEnd = 0x530;
    static_assert(tableEnd % pageSize == 0);
    struct Page {
        mutable std::once_flag isMade;
        mutable std::vector<float> advance;
    };
    struct Table {
        std::vector<float> ascii;
        std::array<Page, tableEnd / pageSize> pages; // those of ASCII stay empty
        float ellipsis = 0;
        float em = 0;
    };
    std::array<Table, roleTables> m_tables;
};

// Returns the TextMeasure that layout takes; it keeps the tables alive.
MeasureText measureCanvasText();

} // namespace lapidary
