// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to this folder: the tile that our own kernel computes at once, and its instructions.
#include <cstddef>
#include <cstdint>
#include <span>

namespace lapidary::int8 {

// The end of the sums of a panel, see ChannelEnd; the arrays cover the columns of a whole panel.
struct TileEnd {
    float bias = 0;
    float step = 1;
    float low = 0;
    const float* factors = nullptr;
    const float* offsets = nullptr;
    const float* highs = nullptr;
    const float* other = nullptr; // rows are TileTask::outStep apart; null: nothing is added
    float* least = nullptr;       // in each column so far; 64-byte aligned
    float* most = nullptr;
};

// out[r, c] = sum over k of a[r, k] * b[k, c]  + rows[r] + columns[c], all in wrapping int32.
struct TileTask {
    const std::byte* a = nullptr; // rows of codes, `aStep` bytes from one to the next
    std::int64_t aStep = 0;
    const std::byte* b = nullptr; // a panel: groups of Tiles::group codes of each column
    std::int64_t groups = 0;
    const std::int32_t* order = nullptr; // of the blocks of these rows, if Tiles::sort is set
    const std::int32_t* rowTerms = nullptr;
    const std::int32_t* columnTerms = nullptr; // of a whole panel
    std::int32_t* out = nullptr;
    std::int64_t outStep = 0;      // elements
    std::int64_t columns = 0;      // number of columns that are stored
    std::int32_t* least = nullptr; // in each column of a whole panel so far; 64-byte aligned
    std::int32_t* most = nullptr;
    const TileEnd* end = nullptr; // if set, out gets floats; least and most above are not used
};
using TileFunction = void (*)(const TileTask& task);

// terms[r] = factor * the sum of the codes of row r, in wrapping int32.
struct RowSums {
    const std::uint8_t* codes = nullptr;
    std::int64_t step = 0; // from one row to the next
    std::int64_t rows = 0;
    std::int64_t count = 0; // codes of a row
    std::int32_t factor = 0;
    std::int32_t* terms = nullptr;
};

// The rows of one tile, whose blocks of Tiles::block codes are to be sorted by what their codes
// allow; orderSize(count / block) numbers are written.
struct BlockSort {
    const std::uint8_t* codes = nullptr;
    std::int64_t step = 0; // from one row to the next
    std::int64_t rows = 0;
    std::int64_t count = 0; // codes of a row
    std::int32_t* order = nullptr;
};

// An order is the number of blocks of each kind, followed by a list for each kind with room for
// all blocks: the first codes of the blocks in their rows.
constexpr std::int64_t blockKinds = 4;
constexpr std::int64_t orderSize(std::int64_t blocks)
{
    return blockKinds + blockKinds * blocks;
}

// One set of instructions.
struct Tiles {
    std::span<const TileFunction> byRows; // [rows - 1]
    std::int64_t columns = 0;             // of a panel
    std::int64_t group = 0;               // codes of the depth that are multiplied at once
    std::int64_t block = 0;               // the depth is filled up to a multiple of it
    std::int32_t filterShift = 0;         // subtracted from the filter's codes when they are packed
    void (*sums)(const RowSums& task) = nullptr;
    void (*sort)(const BlockSort& task) = nullptr; // null: a tile needs no order of blocks

    std::int64_t rows() const { return std::int64_t(byRows.size()); }
};

// Return the tiles for AVX-512 VNNI (sums of four products u8 * s8) and for AVX2 (the same in 16
// bits, where the codes allow it). Null if the program was built for another processor.
const Tiles* vnniTiles();
const Tiles* avx2Tiles();

} // namespace lapidary::int8
