// SPDX-License-Identifier: Apache-2.0
#include "runner/int8/intrinsics.h"
#include "runner/kernels/linear/few_rows_tiles.h"

#include <algorithm>

namespace lapidary::few_rows {

#ifdef __x86_64__
namespace {

#define LAPIDARY_AVX2 [[gnu::target("avx2,fma")]]

constexpr int lanes = 8;

// Applies the activation; NaN stays NaN.
LAPIDARY_AVX2 __m256 activated(__m256 x, onednn::Activation activation)
{
    if (activation == onednn::Activation::None)
        return x;
    x = _mm256_max_ps(_mm256_setzero_ps(), x);
    return activation == onednn::Activation::Relu6 ? _mm256_min_ps(_mm256_set1_ps(6), x) : x;
}

LAPIDARY_AVX2 void store(const Tile& tile, std::int64_t row, std::int64_t column, __m256 x)
{
    x = activated(_mm256_add_ps(x, _mm256_loadu_ps(tile.bias + column)), tile.activation);
    float* const to = tile.c + row * tile.columns + column;
    const std::int64_t left = tile.remaining - column;
    if (left >= lanes) {
        _mm256_storeu_ps(to, x);
        return;
    }
    std::array<float, lanes> all{};
    _mm256_storeu_ps(all.data(), x);
    std::copy_n(all.begin(), std::max<std::int64_t>(left, 0), to);
}

// Multiplies `Rows` rows and `Panels` panels, with the sums in registers.
template <int Rows, int Panels>
LAPIDARY_AVX2 void multiplyTile(const Tile& tile)
{
    constexpr int vectors = Panels * int(panelWidth) / lanes;
    __m256 sums[Rows][vectors];
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < vectors; ++v)
            sums[r][v] = _mm256_setzero_ps();
    for (std::int64_t k = 0; k < tile.depth; ++k) {
        const float* const b = tile.b + k * tile.step;
        for (int p = 0; p < Panels; ++p)
            _mm_prefetch(b + (panelsAhead + p) * panelWidth, _MM_HINT_T0);
        for (int v = 0; v < vectors; ++v) {
            const __m256 column = _mm256_loadu_ps(b + std::int64_t(v) * lanes);
            for (int r = 0; r < Rows; ++r)
                sums[r][v] =
                    _mm256_fmadd_ps(_mm256_set1_ps(tile.a[r * tile.depth + k]), column, sums[r][v]);
        }
    }
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < vectors; ++v)
            store(tile, r, v * lanes, sums[r][v]);
    _mm256_zeroupper(); // otherwise code without AVX would be slow from here on
}

constexpr std::array<TileFunction, 4> onePanel{multiplyTile<1, 1>, multiplyTile<2, 1>,
                                               multiplyTile<3, 1>, multiplyTile<4, 1>};
constexpr std::array<TileFunction, 3> twoPanels{multiplyTile<1, 2>, multiplyTile<2, 2>,
                                                multiplyTile<3, 2>};
constexpr std::array<TileFunction, 1> fourPanels{multiplyTile<1, 4>};

} // namespace

Tiles avx2Tiles()
{
    return {onePanel, twoPanels, fourPanels};
}
#else
Tiles avx2Tiles()
{
    return {};
}
#endif

} // namespace lapidary::few_rows
