#include "runner/kernels/linear/few_rows_product.h"

#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <array>
#include <span>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace lapidary {
namespace {

constexpr std::int64_t width = 16; // columns of a panel
constexpr std::int64_t mostRows = 4;

struct Tile {
    const float* a = nullptr;
    const float* b = nullptr; // the first panel
    const float* bias = nullptr;
    float* c = nullptr;
    std::int64_t depth = 0;
    std::int64_t columns = 0;   // of c and of the whole matrix
    std::int64_t remaining = 0; // columns from c on
    onednn::Activation activation = onednn::Activation::None;
};

#ifdef __x86_64__
#define LAPIDARY_AVX2 [[gnu::target("avx2,fma")]]

constexpr int lanes = 8;

// NaN stays NaN.
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

// Sums of `Rows` rows and `Panels` panels stay in registers.
template <int Rows, int Panels>
LAPIDARY_AVX2 void multiplyTile(const Tile& tile)
{
    constexpr int vectors = Panels * int(width) / lanes;
    __m256 sums[Rows][vectors];
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < vectors; ++v)
            sums[r][v] = _mm256_setzero_ps();
    const std::int64_t panelStep = tile.depth * width;
    for (std::int64_t k = 0; k < tile.depth; ++k) {
        const float* const b = tile.b + k * width;
        for (int v = 0; v < vectors; ++v) {
            const __m256 column =
                _mm256_loadu_ps(b + (v / 2) * panelStep + std::int64_t(v % 2) * lanes);
            for (int r = 0; r < Rows; ++r)
                sums[r][v] =
                    _mm256_fmadd_ps(_mm256_set1_ps(tile.a[r * tile.depth + k]), column, sums[r][v]);
        }
    }
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < vectors; ++v)
            store(tile, r, v * lanes, sums[r][v]);
    _mm256_zeroupper(); // else what has no AVX runs slowly from here on
}

using TileFunction = void (*)(const Tile& tile);
// By rows; as many sums as there are registers.
constexpr std::array<TileFunction, 4> onePanel{multiplyTile<1, 1>, multiplyTile<2, 1>,
                                               multiplyTile<3, 1>, multiplyTile<4, 1>};
constexpr std::array<TileFunction, 3> twoPanels{multiplyTile<1, 2>, multiplyTile<2, 2>,
                                                multiplyTile<3, 2>};
constexpr std::array<TileFunction, 1> fourPanels{multiplyTile<1, 4>};

std::span<const TileFunction> tilesOf(std::int64_t panels)
{
    if (panels == 1)
        return onePanel;
    return panels == 2 ? std::span<const TileFunction>(twoPanels) : fourPanels;
}

bool isPossible()
{
    static const bool known =
        __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    return known;
}
#else
std::span<void (*const)(const Tile& tile)> tilesOf(std::int64_t)
{
    return {};
}

bool isPossible()
{
    return false;
}
#endif

// All rows of one, two or four panels.
void multiplyPanels(Tile tile, std::int64_t panels, std::int64_t rows)
{
    const auto tiles = tilesOf(panels);
    while (rows > 0) {
        const std::int64_t count = std::min(std::int64_t(tiles.size()), rows);
        tiles[std::size_t(count - 1)](tile);
        tile.a += count * tile.depth;
        tile.c += count * tile.columns;
        rows -= count;
    }
}

// How many panels are multiplied at once.
std::int64_t panelsAtOnce(std::int64_t rows, std::int64_t remaining)
{
    if (rows == 1 && remaining >= 4)
        return 4;
    return rows <= 3 && remaining >= 2 ? 2 : 1;
}

} // namespace

bool FewRowsProduct::suits(const onednn::ProductShape& shape)
{
    constexpr std::int64_t smallWork = 100000; // multiplications: some microseconds
    const bool isSmall =
        shape.depth <= smallWork && shape.columns <= smallWork &&
        shape.rows <= smallWork / std::max<std::int64_t>(1, shape.depth * shape.columns);
    return isPossible() && (shape.rows <= mostRows || isSmall);
}

Result<FewRowsProduct> FewRowsProduct::make(const onednn::ProductShape& shape,
                                            const onednn::Epilogue& epilogue)
{
    return FewRowsProduct(shape, epilogue);
}

std::int64_t FewRowsProduct::panels() const
{
    return (m_shape.columns + width - 1) / width;
}

std::size_t FewRowsProduct::packedBytes() const
{
    return std::size_t(panels() * width * m_shape.depth) * sizeof(float);
}

Status FewRowsProduct::pack(const float* b, const float* bias, std::shared_ptr<void> storage)
{
    const std::int64_t depth = m_shape.depth;
    const std::int64_t columns = m_shape.columns;
    auto* to = static_cast<float*>(storage.get());
    for (std::int64_t first = 0; first < columns; first += width) {
        const std::int64_t count = std::min(width, columns - first);
        for (std::int64_t k = 0; k < depth; ++k, to += width) {
            for (std::int64_t c = 0; c < count; ++c)
                to[c] =
                    m_shape.transposed ? b[(first + c) * depth + k] : b[k * columns + first + c];
            std::fill(to + count, to + width, 0.0F);
        }
    }
    m_bias.assign(std::size_t(panels() * width), 0.0F);
    if (m_epilogue.bias)
        std::copy_n(bias, columns, m_bias.begin());
    m_packed = std::move(storage);
    return Done{};
}

bool FewRowsProduct::sharePacked(const FewRowsProduct& other)
{
    onednn::ProductShape theirs = other.m_shape;
    theirs.rows = m_shape.rows;
    if (theirs != m_shape || m_epilogue.bias != other.m_epilogue.bias)
        return false;
    m_packed = other.m_packed;
    m_bias = other.m_bias;
    return true;
}

Status FewRowsProduct::run(const float* a, float* c) const
{
    constexpr std::int64_t sumsEachNanosecond = 16;
    const std::int64_t rows = m_shape.rows;
    const std::int64_t cost = width * m_shape.depth * rows / sumsEachNanosecond;
    parallelFor(panels(), cost, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t panel = begin; panel < end;) {
            const std::int64_t first = panel * width;
            const Tile tile{.a = a,
                            .b = static_cast<const float*>(m_packed.get()) + first * m_shape.depth,
                            .bias = m_bias.data() + first,
                            .c = c + first,
                            .depth = m_shape.depth,
                            .columns = m_shape.columns,
                            .remaining = m_shape.columns - first,
                            .activation = m_epilogue.activation};
            const std::int64_t count = panelsAtOnce(rows, end - panel);
            multiplyPanels(tile, count, rows);
            panel += count;
        }
    });
    return Done{};
}

} // namespace lapidary
