// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/theme/shown_text.h"

using namespace lapidary;

TEST_CASE("file bytes become one line of plain text", "[theme]")
{
    CHECK(shownText("conv1/weights") == QStringLiteral("conv1/weights"));
    CHECK(shownText("a\nb\tc") == QStringLiteral("a\u00B6b\u00B7c"));
    CHECK(shownText("<b>x</b>") == QStringLiteral("<b>x</b>"));
    CHECK(shownText("\xFF\xFE").contains(QChar(QChar::ReplacementCharacter)));
    CHECK(shownText("a\u202Eb") == QStringLiteral("a\u00B7b"));
    CHECK(shownText({"a\0b", 3}) == QStringLiteral("a\u00B7b"));
}
