// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/strip/stages.h"

#include <span>
#include <vector>

namespace lapidary {

// The widths that a stage asks for in the row, in pixels.
struct CellWish {
    int name = 0;     // of the name, which may be cut
    int beside = 0;   // of the fixed part
    int more = 0;     // of the part that is left out first
    int least = 0;    // of the whole cell, never less
    double share = 0; // of the space that remains after all of these
    bool isEnd = false;
};

// A cell of the row: one stage, or several in the middle that do not fit.
struct StripCell {
    std::size_t first = 0;
    std::size_t count = 1;
    int x = 0;
    int width = 0;

    bool isRest() const { return count > 1; }
    bool holds(std::size_t stage) const { return stage >= first && stage < first + count; }
};

inline constexpr int cellGap = 8; // an arrow is drawn in it

// Divides `room` pixels: each stage gets enough for its name, or for as much of it as can be read,
// and the rest is divided by shares. If not even that fits, the neighbors in the middle with the
// least share become one cell, which is `rest` wide.
std::vector<StripCell> layOutStrip(std::span<const CellWish> wishes, int rest, int room);

} // namespace lapidary
