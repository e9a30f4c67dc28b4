// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/ops/op_registry.h"

#include <QColor>

#include <array>
#include <cstdint>
#include <span>

class QPalette;

namespace lapidary {

// Every color of the program has a name here; no other file holds a literal color.
enum class Role : std::uint8_t {
    Canvas,    // the background of the graph
    Surface,   // docks, fields, closed groups
    Raised,    // toolbar, status bar, headers of tables
    Line,      // frames and separators, for decoration only
    GroupLine, // outline of groups
    Edge,
    ControlEdge,
    Text,
    TextMuted,
    Accent,     // links, the primary button, the selection ring
    AccentText, // text on Accent
    Selection,  // background of selected rows
    SelectionText,
    Hover, // background under the pointer
    Hit,   // ring and background of search hits
    HitText,
    Problem,
    Warning,
    Good,
    Added,
    Removed,
    Changed,
    Moved,
    MarkText, // text on Problem, Added, Removed, Changed, Moved
};
inline constexpr int roleCount = 24;

struct FamilyColors {
    QColor fill;
    QColor outline; // also bars and marks
    QColor text;
    QColor textMuted;
};

struct Theme {
    bool isDark = false;
    std::array<QColor, roleCount> roles;
    std::array<FamilyColors, opFamilyCount> families;

    const QColor& operator[](Role role) const { return roles[std::size_t(role)]; }
    const FamilyColors& family(OpFamily family) const { return families[std::size_t(family)]; }
    // Returns the fill of an open group's frame: one shade further for each level, bounded so that
    // edges stay visible.
    QColor groupFill(int depth) const;
    // Returns colors for classes without a fixed meaning (devices, dtypes, equal structure).
    FamilyColors classColors(int index) const;
};

const Theme& lightTheme();
const Theme& darkTheme();
inline const Theme& themeFor(bool dark)
{
    return dark ? darkTheme() : lightTheme();
}

// Returns the widgets' palette that belongs to a theme.
QPalette widgetPalette(const Theme& theme);

} // namespace lapidary
