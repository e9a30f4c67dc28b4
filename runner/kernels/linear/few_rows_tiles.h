// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/onednn/epilogue.h"

#include <array>
#include <cstdint>
#include <span>

namespace lapidary::few_rows {

constexpr std::int64_t panelWidth = 16; // columns
// The number of panels in a group, which are stored side by side, so that a tile of all of them
// reads memory in order: [depth][panel][column].
constexpr std::int64_t groupPanels = 4;

// Some rows of one, two or four panels of a group.
struct Tile {
    const float* a = nullptr;
    const float* b = nullptr; // the first panel
    const float* bias = nullptr;
    float* c = nullptr;
    std::int64_t depth = 0;
    std::int64_t step = 0;      // of b, from one depth to the next
    std::int64_t columns = 0;   // of c and of the whole matrix
    std::int64_t remaining = 0; // columns from c on
    onednn::Activation activation = onednn::Activation::None;
};

// All functions add the products of an element in the order of the depth, each rounded once with
// its sum, so that the results are the same bits.
using TileFunction = void (*)(const Tile& tile);
struct Tiles {
    // The functions by number of rows, from one on, as far as there are registers for the sums;
    // empty if the program was built for another processor.
    std::span<const TileFunction> onePanel, twoPanels, fourPanels;

    std::span<const TileFunction> of(std::int64_t panels) const
    {
        if (panels == 1)
            return onePanel;
        return panels == 2 ? twoPanels : fourPanels;
    }
};
Tiles avx2Tiles();
Tiles avx512Tiles();

// The matrix is prefetched so many groups of sixteen floats ahead of the sums: it is read once,
// from the second or third cache, whose prefetcher stops at the end of each page.
constexpr std::int64_t panelsAhead = 64;

} // namespace lapidary::few_rows
