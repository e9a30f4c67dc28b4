#pragma once

#include <algorithm>
#include <cstdint>

namespace lapidary {

// to[row * toStride + column] = from[row + column * fromStride], in tiles that stay in the cache.
template <class T>
void transposedCopy(const T* from, std::int64_t fromStride, T* to, std::int64_t toStride,
                    std::int64_t rows, std::int64_t columns)
{
    constexpr std::int64_t tile = 64 / std::int64_t(sizeof(T)); // a line of the cache
    for (std::int64_t column = 0; column < columns; column += tile) {
        const std::int64_t lastColumn = std::min(column + tile, columns);
        for (std::int64_t row = 0; row < rows; row += tile) {
            const std::int64_t lastRow = std::min(row + tile, rows);
            for (std::int64_t r = row; r < lastRow; ++r)
                for (std::int64_t c = column; c < lastColumn; ++c)
                    to[r * toStride + c] = from[r + c * fromStride];
        }
    }
}

} // namespace lapidary
