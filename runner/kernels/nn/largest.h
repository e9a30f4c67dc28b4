// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"
#include "runner/kernels/lowest.h"
#include "runner/kernels/nn/pooling.h"

#include <algorithm>

namespace lapidary {

constexpr std::int64_t nowhere = -1;

// Finds the largest element of each channel in the window of output pixel `at`, and its flat index
// in its image; the index is `nowhere` if the window is empty. Of equal elements it is the first;
// if the first element of the window is NaN, the result is NaN.
template <class T>
void findLargest(const Pooling& p, std::int64_t at, const T* x, T* y, std::int64_t* where)
{
    const std::int64_t image = at / (p.columns.output * p.rows.output);
    const Range rows = clippedWindow(p.rows, at / p.columns.output % p.rows.output);
    const Range columns = clippedWindow(p.columns, at % p.columns.output);
    const std::int64_t perImage = p.rows.input * p.columns.input * p.channels;
    std::fill_n(y, p.channels, lowestOf<T>());
    std::fill_n(where, p.channels, nowhere);
    for (std::int64_t r = rows.begin; r < rows.end; ++r)
        for (std::int64_t c = columns.begin; c < columns.end; ++c) {
            const std::int64_t first = (r * p.columns.input + c) * p.channels;
            const T* pixel = x + image * perImage + first;
            for (std::int64_t k = 0; k < p.channels; ++k) {
                if (where[k] != nowhere && !(wide(pixel[k]) > wide(y[k])))
                    continue;
                y[k] = pixel[k];
                where[k] = first + k;
            }
        }
}

} // namespace lapidary
