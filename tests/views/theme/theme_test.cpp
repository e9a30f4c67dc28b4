// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/theme/color.h"
#include "views/theme/theme.h"

#include <QPalette>

#include <cmath>

using namespace lapidary;

namespace {

constexpr double textContrast = 4.5;
constexpr double graphicsContrast = 3.0;

void checkFace(const Theme& theme, const FamilyColors& face)
{
    CHECK(contrast(face.text, face.fill) >= textContrast);
    CHECK(contrast(face.textMuted, face.fill) >= textContrast);
    CHECK(contrast(face.outline, theme[Role::Canvas]) >= graphicsContrast);
    CHECK(contrast(face.outline, face.fill) >= graphicsContrast);
}

} // namespace

TEST_CASE("both themes have the named colors of the brief", "[theme]")
{
    CHECK(lightTheme()[Role::Canvas] == QColor(0xFB, 0xFB, 0xFA));
    CHECK(lightTheme()[Role::Edge] == QColor(0x7F, 0x87, 0x91));
    CHECK(lightTheme()[Role::Accent] == QColor(0x2F, 0x6F, 0xDE));
    CHECK(darkTheme()[Role::Canvas] == QColor(0x17, 0x19, 0x1C));
    CHECK(darkTheme()[Role::TextMuted] == QColor(0x9A, 0xA3, 0xAE));
    for (const bool dark : {false, true})
        for (const QColor& color : themeFor(dark).roles)
            CHECK(color.isValid());
}

TEST_CASE("text and meaning are visible in both themes", "[theme]")
{
    for (const bool dark : {false, true}) {
        INFO((dark ? "dark" : "light"));
        const Theme& theme = themeFor(dark);
        for (const Role ground :
             {Role::Canvas, Role::Surface, Role::Raised, Role::Selection, Role::Hover}) {
            INFO("ground " << int(ground));
            CHECK(contrast(theme[Role::Text], theme[ground]) >= textContrast);
            CHECK(contrast(theme[Role::TextMuted], theme[ground]) >= textContrast);
        }
        for (const Role ground : {Role::Canvas, Role::Surface, Role::Raised})
            for (const Role text : {Role::Problem, Role::Warning, Role::Good, Role::Accent,
                                    Role::Added, Role::Removed, Role::Changed}) {
                INFO("text " << int(text) << " on " << int(ground));
                CHECK(contrast(theme[text], theme[ground]) >= textContrast);
            }
        CHECK(contrast(theme[Role::AccentText], theme[Role::Accent]) >= textContrast);
        for (const Role mark :
             {Role::Problem, Role::Added, Role::Removed, Role::Changed, Role::Moved})
            CHECK(contrast(theme[Role::MarkText], theme[mark]) >= textContrast);
        for (const Role line : {Role::Edge, Role::ControlEdge, Role::GroupLine, Role::Hit})
            CHECK(contrast(theme[line], theme[Role::Canvas]) >= graphicsContrast);
    }
}

TEST_CASE("edges and headers are visible in open groups of every depth", "[theme]")
{
    for (const bool dark : {false, true})
        for (int depth = 0; depth < 8; ++depth) {
            const Theme& theme = themeFor(dark);
            const QColor fill = theme.groupFill(depth);
            INFO((dark ? "dark " : "light ") << depth);
            CHECK(contrast(theme[Role::Edge], fill) >= graphicsContrast);
            CHECK(contrast(theme[Role::Text], fill) >= textContrast);
            CHECK(contrast(theme[Role::TextMuted], fill) >= textContrast);
            CHECK(contrast(theme[Role::Accent], fill) >= graphicsContrast);
        }
}

TEST_CASE("op families are readable and weigh the same", "[theme]")
{
    for (const bool dark : {false, true}) {
        const Theme& theme = themeFor(dark);
        for (int i = 0; i < opFamilyCount; ++i) {
            INFO((dark ? "dark " : "light ") << "family " << i);
            const FamilyColors& face = theme.family(OpFamily(i));
            checkFace(theme, face);
            if (OpFamily(i) == OpFamily::Unknown)
                continue;
            const double weight = std::cbrt(luminance(face.fill));
            CHECK(weight == Approx(dark ? 0.30 : 0.95).margin(0.03));
        }
        for (int i = 0; i < 40; ++i)
            checkFace(theme, theme.classColors(i));
    }
}

TEST_CASE("widgets take their palette from the theme", "[theme]")
{
    const QPalette palette = widgetPalette(darkTheme());
    CHECK(palette.color(QPalette::Window) == darkTheme()[Role::Surface]);
    CHECK(palette.color(QPalette::WindowText) == darkTheme()[Role::Text]);
    CHECK(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >=
          textContrast);
}
