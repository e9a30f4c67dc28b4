// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/strip/stages.h"

#include <span>
#include <vector>

namespace lapidary {

// Describes what a stage would like to take of a row, in pixels.
struct CellWish {
    int name = 0;     // may be cut
    int beside = 0;   // what stands there anyway
    int more = 0;     // what is left out first
    int least = 0;    // never less than this
    double share = 0; // of the room that is left once all of that is there
    bool isEnd = false;
};

// A place in the row: one stage, or several in the middle for which there is no room.
struct StripCell {
    std::size_t first = 0;
    std::size_t count = 1;
    int x = 0;
    int width = 0;

    bool isRest() const { return count > 1; }
    bool holds(std::size_t stage) const { return stage >= first && stage < first + count; }
};

inline constexpr int cellGap = 8; // an arrow is drawn in it

// Shares out `room` pixels: each stage gets enough for its name, or for as much of it as can be
// read, and what is left goes by shares. Where not even that fits, the neighbors in the middle that
// hold the least become one cell, which is `rest` wide.
std::vector<StripCell> layOutStrip(std::span<const CellWish> wishes, int rest, int room);

} // namespace lapidary
