// SPDX-License-Identifier: Apache-2.0
#include "views/theme/theme.h"

#include "views/theme/color.h"

#include <QPalette>

#include <algorithm>

namespace lapidary {
namespace {

struct FamilyHue {
    OpFamily family;
    double hue;
    double chroma; // factor on the theme's chroma; 0: gray
};

constexpr std::array<FamilyHue, opFamilyCount> familyHues{{
    {OpFamily::Input, 145, 1},
    {OpFamily::Output, 25, 1},
    {OpFamily::Weights, 90, 1},
    {OpFamily::HeavyMaths, 255, 1},
    {OpFamily::Normalization, 200, 1},
    {OpFamily::Activation, 55, 1},
    {OpFamily::Pooling, 300, 1},
    {OpFamily::ElementWise, 230, 0.5},
    {OpFamily::DataMovement, 0, 0},
    {OpFamily::Control, 330, 1},
    {OpFamily::Quantized, 280, 1},
    {OpFamily::Training, 0, 0},
    {OpFamily::Unknown, 0, 0},
}};

struct Recipe {
    double fillLightness, fillChroma;
    double outlineLightness, outlineChroma;
    double textLightness, textChroma;
};
constexpr Recipe lightRecipe{0.95, 0.035, 0.62, 0.11, 0.27, 0.04};
constexpr Recipe darkRecipe{0.30, 0.045, 0.68, 0.10, 0.93, 0.02};

FamilyColors madeFrom(const Recipe& r, double hue, double chroma, const QColor& muted)
{
    return {oklch(r.fillLightness, r.fillChroma * chroma, hue),
            oklch(r.outlineLightness, r.outlineChroma * chroma, hue),
            oklch(r.textLightness, r.textChroma * chroma, hue), muted};
}

void fillFamilies(Theme& theme)
{
    const Recipe& recipe = theme.isDark ? darkRecipe : lightRecipe;
    for (const FamilyHue& entry : familyHues)
        theme.families[std::size_t(entry.family)] =
            madeFrom(recipe, entry.hue, entry.chroma, theme[Role::TextMuted]);
    theme.families[std::size_t(OpFamily::Training)].text = theme[Role::TextMuted];
    auto& unknown = theme.families[std::size_t(OpFamily::Unknown)];
    unknown.fill = theme[Role::Surface];
    unknown.outline = theme[Role::Problem];
    unknown.text = theme[Role::Text];
}

struct RoleColor {
    Role role;
    QRgb light;
    QRgb dark;
};

constexpr std::array<RoleColor, roleCount> roleTable{{
    {Role::Canvas, 0xFFFBFBFA, 0xFF17191C},        {Role::Surface, 0xFFFFFFFF, 0xFF1F2226},
    {Role::Raised, 0xFFFAFAF9, 0xFF23262B},        {Role::Line, 0xFFD9DBDF, 0xFF3A3F46},
    {Role::GroupLine, 0xFF878E98, 0xFF767E89},     {Role::Edge, 0xFF7F8791, 0xFF7C8490},
    {Role::ControlEdge, 0xFF868D97, 0xFF767E89},   {Role::Text, 0xFF1E2227, 0xFFE6E8EB},
    {Role::TextMuted, 0xFF5B636E, 0xFF9AA3AE},     {Role::Accent, 0xFF2F6FDE, 0xFF6CA0FF},
    {Role::AccentText, 0xFFFFFFFF, 0xFF10131A},    {Role::Selection, 0xFFE4EDFC, 0xFF24385E},
    {Role::SelectionText, 0xFF1E2227, 0xFFE6E8EB}, {Role::Hover, 0xFFEFF1F4, 0xFF2A2E34},
    {Role::Hit, 0xFFB27300, 0xFFF2B544},           {Role::HitText, 0xFFFFFFFF, 0xFF1B1400},
    {Role::Problem, 0xFFC8372D, 0xFFFF7B6E},       {Role::Warning, 0xFFA15C00, 0xFFF0A94A},
    {Role::Good, 0xFF1E7A43, 0xFF5CC98A},          {Role::Added, 0xFF2F6FDE, 0xFF6CA0FF},
    {Role::Removed, 0xFFB85410, 0xFFF0964F},       {Role::Changed, 0xFF8449C4, 0xFFBE95F0},
    {Role::Moved, 0xFF5B636E, 0xFF9AA3AE},         {Role::MarkText, 0xFFFFFFFF, 0xFF10131A},
}};

Theme makeTheme(bool dark)
{
    Theme theme;
    theme.isDark = dark;
    for (const RoleColor& entry : roleTable)
        theme.roles[std::size_t(entry.role)] = QColor::fromRgb(dark ? entry.dark : entry.light);
    fillFamilies(theme);
    return theme;
}

} // namespace

QColor Theme::groupFill(int depth) const
{
    const int level = std::clamp(depth, 0, 4);
    return isDark ? oklch(0.235 + 0.013 * level, 0.006, 260)
                  : oklch(0.974 - 0.008 * level, 0.004, 260);
}

FamilyColors Theme::classColors(int index) const
{
    // Steps by the golden angle keep any number of neighboring classes apart.
    const double hue = 255 + 137.508 * index;
    const double chroma = index % 24 < 12 ? 1.0 : 0.5;
    return madeFrom(isDark ? darkRecipe : lightRecipe, hue, chroma, (*this)[Role::TextMuted]);
}

const Theme& lightTheme()
{
    static const Theme theme = makeTheme(false);
    return theme;
}

const Theme& darkTheme()
{
    static const Theme theme = makeTheme(true);
    return theme;
}

QPalette widgetPalette(const Theme& theme)
{
    QPalette palette(theme[Role::Text], theme[Role::Surface], theme[Role::Line],
                     theme[Role::GroupLine], theme[Role::Line], theme[Role::Text],
                     theme[Role::Accent], theme[Role::Surface], theme[Role::Surface]);
    palette.setColor(QPalette::AlternateBase, theme[Role::Raised]);
    palette.setColor(QPalette::Highlight, theme[Role::Selection]);
    palette.setColor(QPalette::HighlightedText, theme[Role::SelectionText]);
    palette.setColor(QPalette::Link, theme[Role::Accent]);
    palette.setColor(QPalette::LinkVisited, theme[Role::Accent]);
    palette.setColor(QPalette::PlaceholderText, theme[Role::TextMuted]);
    palette.setColor(QPalette::ToolTipBase, theme[Role::Raised]);
    palette.setColor(QPalette::ToolTipText, theme[Role::Text]);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role,
                         mixed(theme[Role::TextMuted], theme[Role::Surface], 0.35));
    return palette;
}

} // namespace lapidary
