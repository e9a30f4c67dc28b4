// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace lapidary {

// to[r * toStride + c] = from[r + c * fromStride] for 0 <= r < rows, 0 <= c < columns.
template <class T>
void transposeBlock(const T* from, std::int64_t fromStride, T* to, std::int64_t toStride,
                    std::int64_t rows, std::int64_t columns)
{
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            to[r * toStride + c] = from[r + c * fromStride];
}

// Transposes four by four elements of 4 bytes, in registers.
inline void transposeFour(const std::uint32_t* from, std::int64_t fromStride, std::uint32_t* to,
                          std::int64_t toStride)
{
    using Four [[gnu::vector_size(16)]] = std::uint32_t;
    Four a;
    Four b;
    Four c;
    Four d;
    std::memcpy(&a, from, sizeof(Four));
    std::memcpy(&b, from + fromStride, sizeof(Four));
    std::memcpy(&c, from + 2 * fromStride, sizeof(Four));
    std::memcpy(&d, from + 3 * fromStride, sizeof(Four));
    const Four lowAb = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Four highAb = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Four lowCd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Four highCd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(lowAb, lowCd, 0, 1, 4, 5);
    b = __builtin_shufflevector(lowAb, lowCd, 2, 3, 6, 7);
    c = __builtin_shufflevector(highAb, highCd, 0, 1, 4, 5);
    d = __builtin_shufflevector(highAb, highCd, 2, 3, 6, 7);
    std::memcpy(to, &a, sizeof(Four));
    std::memcpy(to + toStride, &b, sizeof(Four));
    std::memcpy(to + 2 * toStride, &c, sizeof(Four));
    std::memcpy(to + 3 * toStride, &d, sizeof(Four));
}

// Transposes a tile that is one cache line wide in both directions, so that each line is used
// completely while it is in the cache.
template <class T>
void transposeTile(const T* from, std::int64_t fromStride, T* to, std::int64_t toStride)
{
    constexpr std::int64_t tile = 64 / std::int64_t(sizeof(T));
    if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
        for (std::int64_t r = 0; r < tile; r += 4)
            for (std::int64_t c = 0; c < tile; c += 4)
                transposeFour(from + r + c * fromStride, fromStride, to + r * toStride + c,
                              toStride);
    } else {
        transposeBlock(from, fromStride, to, toStride, tile, tile);
    }
}

// Transposes any size, tile by tile. Tiles that are near each other in both directions follow each
// other, so that few pages of memory are touched at a time.
template <class T>
void transposedCopy(const T* from, std::int64_t fromStride, T* to, std::int64_t toStride,
                    std::int64_t rows, std::int64_t columns)
{
    constexpr std::int64_t tile = 64 / std::int64_t(sizeof(T));
    constexpr std::int64_t group = tile * 4;
    for (std::int64_t firstRow = 0; firstRow < rows; firstRow += group)
        for (std::int64_t column = 0; column < columns; column += tile)
            for (std::int64_t row = firstRow; row < std::min(firstRow + group, rows); row += tile) {
                const T* source = from + row + column * fromStride;
                T* target = to + row * toStride + column;
                if (row + tile <= rows && column + tile <= columns)
                    transposeTile(source, fromStride, target, toStride);
                else
                    transposeBlock(source, fromStride, target, toStride, std::min(tile, rows - row),
                                   std::min(tile, columns - column));
            }
}

} // namespace lapidary
