// SPDX-License-Identifier: Apache-2.0
#include "runner/int8/intrinsics.h"
#include "runner/kernels/linear/few_rows_tiles.h"

#include <algorithm>

namespace lapidary::few_rows {

#ifdef __x86_64__
namespace {

#define LAPIDARY_AVX512 [[gnu::target("avx512f")]]

constexpr int lanes = 16;
static_assert(lanes == panelWidth);

// Applies the activation; NaN stays NaN.
LAPIDARY_AVX512 __m512 activated(__m512 x, onednn::Activation activation)
{
    if (activation == onednn::Activation::None)
        return x;
    x = _mm512_max_ps(_mm512_setzero_ps(), x);
    return activation == onednn::Activation::Relu6 ? _mm512_min_ps(_mm512_set1_ps(6), x) : x;
}

LAPIDARY_AVX512 void store(const Tile& tile, std::int64_t row, std::int64_t column, __m512 x)
{
    x = activated(_mm512_add_ps(x, _mm512_loadu_ps(tile.bias + column)), tile.activation);
    const std::int64_t left = std::clamp<std::int64_t>(tile.remaining - column, 0, lanes);
    const auto some = __mmask16((1U << unsigned(left)) - 1U);
    _mm512_mask_storeu_ps(tile.c + row * tile.columns + column, some, x);
}

// Multiplies `Rows` rows and `Panels` panels, with the sums in registers.
template <int Rows, int Panels>
LAPIDARY_AVX512 void multiplyTile(const Tile& tile)
{
    __m512 sums[Rows][Panels];
    for (int r = 0; r < Rows; ++r)
        for (int p = 0; p < Panels; ++p)
            sums[r][p] = _mm512_setzero_ps();
    for (std::int64_t k = 0; k < tile.depth; ++k) {
        const float* const b = tile.b + k * tile.step;
        for (int p = 0; p < Panels; ++p)
            _mm_prefetch(b + (panelsAhead + p) * panelWidth, _MM_HINT_T0);
        __m512 factors[Rows];
        for (int r = 0; r < Rows; ++r)
            factors[r] = _mm512_set1_ps(tile.a[r * tile.depth + k]);
        for (int p = 0; p < Panels; ++p) {
            const __m512 column = _mm512_loadu_ps(b + std::int64_t(p) * lanes);
            for (int r = 0; r < Rows; ++r)
                sums[r][p] = _mm512_fmadd_ps(factors[r], column, sums[r][p]);
        }
    }
    for (int r = 0; r < Rows; ++r)
        for (int p = 0; p < Panels; ++p)
            store(tile, r, p * lanes, sums[r][p]);
    _mm256_zeroupper(); // otherwise code without AVX would be slow from here on
}

constexpr std::array<TileFunction, 8> onePanel{
    multiplyTile<1, 1>, multiplyTile<2, 1>, multiplyTile<3, 1>, multiplyTile<4, 1>,
    multiplyTile<5, 1>, multiplyTile<6, 1>, multiplyTile<7, 1>, multiplyTile<8, 1>};
constexpr std::array<TileFunction, 4> twoPanels{multiplyTile<1, 2>, multiplyTile<2, 2>,
                                                multiplyTile<3, 2>, multiplyTile<4, 2>};
constexpr std::array<TileFunction, 4> fourPanels{multiplyTile<1, 4>, multiplyTile<2, 4>,
                                                 multiplyTile<3, 4>, multiplyTile<4, 4>};

} // namespace

Tiles avx512Tiles()
{
    return {onePanel, twoPanels, fourPanels};
}
#else
Tiles avx512Tiles()
{
    return {};
}
#endif

} // namespace lapidary::few_rows
