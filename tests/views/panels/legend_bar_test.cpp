// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/panels/legend_bar.h"

#include <QFontMetrics>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

TEST_CASE("a legend without space for all counts the rest", "[panels]")
{
    LegendBar bar;
    std::vector<LegendEntry> entries;
    for (const auto& text : {u"input"_s, u"weights"_s, u"activation"_s, u"control flow"_s})
        entries.push_back({LegendEntry::Mark::Swatch, Qt::white, Qt::black, text, {}});
    bar.setEntries(entries);
    CHECK(bar.accessibleDescription() == u"input, weights, activation, control flow"_s);

    bar.resize(2000, 28);
    CHECK(bar.shownCount() == 4);
    std::size_t before = 4;
    for (int width = 2000; width > 0; width -= 7) {
        bar.resize(width, 28);
        const std::size_t shown = bar.shownCount();
        CHECK(shown <= before);
        before = shown;
        if (shown == 0 || shown == 4)
            continue;
        int taken = QFontMetrics(bar.font()).horizontalAdvance(u"1 more"_s);
        for (std::size_t i = 0; i < shown; ++i)
            taken += QFontMetrics(bar.font()).horizontalAdvance(entries[i].text);
        CHECK(taken < width);
    }
    CHECK(before == 0);
}
