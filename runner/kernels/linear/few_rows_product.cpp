// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/linear/few_rows_product.h"

#include "runner/kernels/linear/few_rows_tiles.h"
#include "runner/onednn/instructions.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace few_rows;

constexpr std::int64_t mostRows = 4;
constexpr std::int64_t width = panelWidth;

Tiles possibleTiles()
{
#ifdef __x86_64__
    if (onednn::instructions().avx512)
        return avx512Tiles();
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
        return avx2Tiles();
#endif
    return {};
}

const Tiles& tiles()
{
    static const Tiles known = possibleTiles();
    return known;
}

// Multiplies all rows with one, two or four panels.
void multiplyPanels(Tile tile, std::int64_t panels, std::int64_t rows)
{
    const auto functions = tiles().of(panels);
    while (rows > 0) {
        const std::int64_t count = std::min(std::int64_t(functions.size()), rows);
        functions[std::size_t(count - 1)](tile);
        tile.a += count * tile.depth;
        tile.c += count * tile.columns;
        rows -= count;
    }
}

// Returns the number of panels to multiply at once: if rows are few, as many as there are registers
// for, so that the matrix is read once.
std::int64_t panelsAtOnce(std::int64_t rows, std::int64_t remaining)
{
    for (const std::int64_t panels : {4, 2})
        if (remaining >= panels &&
            std::min(rows, mostRows) <= std::int64_t(tiles().of(panels).size()))
            return panels;
    return 1;
}

} // namespace

bool FewRowsProduct::suits(const onednn::ProductShape& shape)
{
    constexpr std::int64_t smallWork = 100000; // multiplications in some microseconds
    const bool isSmall =
        shape.depth <= smallWork && shape.columns <= smallWork &&
        shape.rows <= smallWork / std::max<std::int64_t>(1, shape.depth * shape.columns);
    return !tiles().onePanel.empty() && (shape.rows <= mostRows || isSmall);
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
    const auto at = [&](std::int64_t k, std::int64_t column) {
        return m_shape.transposed ? b[column * depth + k] : b[k * columns + column];
    };
    for (std::int64_t group = 0; group < panels(); group += groupPanels) {
        const std::int64_t first = group * width;
        const std::int64_t padded = std::min(groupPanels, panels() - group) * width;
        const std::int64_t count = std::min(padded, columns - first);
        for (std::int64_t k = 0; k < depth; ++k, to += padded) {
            for (std::int64_t c = 0; c < count; ++c)
                to[c] = at(k, first + c);
            std::fill(to + count, to + padded, 0.0F);
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
            const std::int64_t group = panel / groupPanels * groupPanels;
            const std::int64_t together = std::min(groupPanels, panels() - group);
            const float* const packed = static_cast<const float*>(m_packed.get());
            const Tile tile{.a = a,
                            .b = packed + group * width * m_shape.depth + (first - group * width),
                            .bias = m_bias.data() + first,
                            .c = c + first,
                            .depth = m_shape.depth,
                            .step = together * width,
                            .columns = m_shape.columns,
                            .remaining = m_shape.columns - first,
                            .activation = m_epilogue.activation};
            const std::int64_t count = panelsAtOnce(rows, std::min(end, group + together) - panel);
            multiplyPanels(tile, count, rows);
            panel += count;
        }
    });
    return Done{};
}

} // namespace lapidary
