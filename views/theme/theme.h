#pragma once

#include "graph_model/ops/op_registry.h"

#include <QColor>

#include <array>
#include <cstdint>
#include <span>

class QPalette;

namespace lapidary {

// Every colour of the program has a name here; nothing else holds a literal colour.
enum class Role : std::uint8_t {
    Canvas,    // behind the graph
    Surface,   // docks, fields, closed groups
    Raised,    // toolbar, status bar, headers of tables
    Line,      // frames and separators, decoration only
    GroupLine, // outline of groups
    Edge,
    ControlEdge,
    Text,
    TextMuted,
    Accent,     // links, the primary button, the selection ring
    AccentText, // on Accent
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
    MarkText, // on Problem, Added, Removed, Changed, Moved
};
inline constexpr int roleCount = 24;

struct FamilyColours {
    QColor fill;
    QColor outline; // also bars and marks
    QColor text;
    QColor textMuted;
};

struct Theme {
    bool isDark = false;
    std::array<QColor, roleCount> roles;
    std::array<FamilyColours, opFamilyCount> families;

    const QColor& operator[](Role role) const { return roles[std::size_t(role)]; }
    const FamilyColours& family(OpFamily family) const { return families[std::size_t(family)]; }
    // Frames of open groups: one shade further for each level, bounded so that edges stay visible.
    QColor groupFill(int depth) const;
    // Colours for classes without a fixed meaning (devices, dtypes, equal structure).
    FamilyColours classColours(int index) const;
};

const Theme& lightTheme();
const Theme& darkTheme();
inline const Theme& themeFor(bool dark)
{
    return dark ? darkTheme() : lightTheme();
}

// The widgets' palette that belongs to a theme.
QPalette widgetPalette(const Theme& theme);

} // namespace lapidary
