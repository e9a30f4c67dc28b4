// SPDX-License-Identifier: Apache-2.0
// With w' = w - shift and z' = filter's zero point - shift:
//   sum of (a - za) (w - zw)  =  sum of a w'  -  z' sum of a  -  za sum of w'  +  depth za z'
// The first sum is the work of a tile, the second is one number for each row, the rest one for each
// column. All of it wraps in int32, so that it is exact for every zero point. Outside the image, a
// is the padding byte that TensorFlow assumes there.
//
// After a Relu no code is less than the zero point. If za is then subtracted from each a, za
// becomes 0 in the formula; this is done for tiles that are faster for small codes.
#include "runner/int8/own/own.h"

#include "runner/int8/channel_end.h"
#include "runner/int8/patches.h"
#include "runner/threads/parallel_for.h"
#include "runner/threads/team_size.h"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <span>

namespace lapidary::int8 {
namespace {

constexpr std::int64_t line = 64;             // bytes
constexpr std::int64_t blockBytes = 1 << 17;  // bytes of packed rows that are reused
constexpr std::int64_t panelsBytes = 1 << 14; // bytes of panels that stay in the first cache
constexpr std::int64_t mostPanels = 16;

constexpr std::int32_t largestSum = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t smallestSum = std::numeric_limits<std::int32_t>::lowest();

std::int64_t roundedUp(std::int64_t value, std::int64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

std::int32_t wrappingTimes(std::int64_t a, std::int64_t b)
{
    return std::int32_t(std::uint32_t(a) * std::uint32_t(b));
}

std::int32_t wrappingPlus(std::int32_t a, std::int32_t b)
{
    return std::int32_t(std::uint32_t(a) + std::uint32_t(b));
}

// Returns whether no code is less than `least`.
bool areAtLeast(std::span<const std::uint8_t> codes, std::uint8_t least)
{
    constexpr std::size_t step = 1 << 12;
    for (std::size_t i = 0; i < codes.size(); i += step) {
        std::uint8_t found = 255;
        for (const std::uint8_t code : codes.subspan(i, std::min(step, codes.size() - i)))
            found = std::min(found, code);
        if (found < least)
            return false;
    }
    return true;
}

void subtract(std::uint8_t offset, std::span<const std::uint8_t> codes, std::uint8_t* to)
{
    for (const std::uint8_t code : codes)
        *to++ = std::uint8_t(code - offset);
}

class Own final : public Prepared {
public:
    Own(const Convolution& shape, const Tiles& tiles)
        : m_c(shape)
        , m_tiles(tiles)
        , m_depth(roundedUp(shape.depth(), tiles.block))
        , m_panels((shape.filters + tiles.columns - 1) / tiles.columns)
    {
        const std::int64_t tile = tiles.rows();
        const std::int64_t most = std::max(2 * tile, roundedUp(shape.outPixels(), tile));
        const std::int64_t fitting = blockBytes / m_depth / tile * tile;
        m_blockRows = std::clamp(fitting, 2 * tile, most);
    }

    std::size_t packedBytes() const override
    {
        return std::size_t(m_panels * (panelBytes() + m_tiles.columns * sizeofSum));
    }

    bool sharesPacked(const Prepared& other) const override
    {
        const auto* own = dynamic_cast<const Own*>(&other);
        return own != nullptr && &own->m_tiles == &m_tiles && own->m_c.depth() == m_c.depth() &&
               own->m_c.filters == m_c.filters;
    }

    void pack(const std::uint8_t* filter, std::byte* packed) const override
    {
        parallelFor(m_panels, panelBytes(), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t panel = begin; panel < end; ++panel)
                packPanel(filter, panel, packed);
        });
    }

    std::size_t workBytes(int threads) const override
    {
        return std::size_t(sharedBytes() + threads * partBytes());
    }

    bool takes(Zeros zeros) const override { return padsWithByte(zeros) || !m_c.isPadded(); }
    bool endsSums() const override { return true; }
    Status run(const Task& task) const override;

private:
    static constexpr std::int64_t sizeofSum = sizeof(std::int32_t);

    // One thread's share of the output.
    struct Part {
        std::int64_t rowBegin, rowEnd;
        std::int64_t panelBegin, panelEnd;
        std::byte* work;
        std::uint8_t offset; // is subtracted from the codes of the input
    };

    // Rows [begin, end) of the output and their codes.
    struct Rows {
        const std::uint8_t* codes;
        std::int64_t begin, end;
    };

    // Divides rows into tiles whose heights differ by one at most, and calls each(height).
    template <class Each>
    void eachTile(std::int64_t rows, const Each& each) const
    {
        const std::int64_t tiles = tilesOf(rows);
        const std::int64_t height = rows / tiles;
        const std::int64_t higher = rows % tiles;
        for (std::int64_t tile = 0; tile < tiles; ++tile)
            each(height + (tile < higher ? 1 : 0));
    }
    std::int64_t tilesOf(std::int64_t rows) const
    {
        return (rows + m_tiles.rows() - 1) / m_tiles.rows();
    }
    std::int64_t panelBytes() const { return m_depth * m_tiles.columns; }
    std::int64_t columnBytes() const
    {
        return roundedUp(m_panels * m_tiles.columns * sizeofSum, line);
    }
    // Memory that all parts read: the terms of the columns, and three numbers for each column of an
    // ending.
    std::int64_t sharedBytes() const { return 4 * columnBytes(); }
    std::int64_t rowTermBytes() const { return roundedUp(m_blockRows * sizeofSum, line); }
    std::int64_t rowsBytes() const { return roundedUp(m_blockRows * m_depth, line); }
    // Return the size of the order of a tile's blocks, and the bytes of all orders.
    std::int64_t orderStep() const
    {
        return m_tiles.sort == nullptr ? 0 : orderSize(m_depth / m_tiles.block);
    }
    std::int64_t ordersBytes() const
    {
        return roundedUp(m_blockRows / m_tiles.rows() * orderStep() * sizeofSum, line);
    }
    std::int64_t partBytes() const
    {
        return 2 * columnBytes() + rowTermBytes() + rowsBytes() + ordersBytes();
    }
    // Return the places in the working memory of a part: for the columns' ranges so far, the rows'
    // terms, the rows, and the orders of their blocks.
    std::int32_t* least(const Part& part) const
    {
        return reinterpret_cast<std::int32_t*>(part.work);
    }
    std::int32_t* most(const Part& part) const
    {
        return reinterpret_cast<std::int32_t*>(part.work + columnBytes());
    }
    // Return the places of the ranges if the sums become floats, in the same memory.
    float* leastReal(const Part& part) const { return reinterpret_cast<float*>(part.work); }
    float* mostReal(const Part& part) const
    {
        return reinterpret_cast<float*>(part.work + columnBytes());
    }
    std::int32_t* rowTerms(const Part& part) const
    {
        return reinterpret_cast<std::int32_t*>(part.work + 2 * columnBytes());
    }
    std::byte* packedRows(const Part& part) const
    {
        return part.work + 2 * columnBytes() + rowTermBytes();
    }
    std::int32_t* orders(const Part& part) const
    {
        return reinterpret_cast<std::int32_t*>(packedRows(part) + rowsBytes());
    }
    const std::int32_t* columnSums(const std::byte* packed) const
    {
        return reinterpret_cast<const std::int32_t*>(packed + m_panels * panelBytes());
    }
    // Returns whether the rows are in the input, without gaps.
    bool hasRows() const { return m_c.isMatrixProduct() && m_depth == m_c.channels; }

    void packPanel(const std::uint8_t* filter, std::int64_t panel, std::byte* packed) const;
    std::uint8_t offsetOf(const Task& task) const;
    void writeColumnTerms(const std::byte* packed, Zeros zeros, std::int32_t* terms) const;
    const std::uint8_t* writeRows(const Task& task, std::int64_t begin, std::int64_t end,
                                  const Part& part) const;
    void writePatches(const Task& task, std::int64_t begin, std::int64_t end,
                      const Part& part) const;
    void sortBlocks(const std::uint8_t* rows, std::int64_t count, std::int32_t* order) const;
    void writeEnd(const Task& task) const;
    TileEnd endOf(const Task& task, const Part& part, std::int64_t row, std::int64_t column) const;
    RealRange rangeOf(const Part& part) const;
    void runPart(const Task& task, const Part& part) const;
    TileTask tileOf(const Task& task, const Part& part, const Rows& rows, std::int64_t panel) const;
    void runPanels(const Task& task, const Part& part, const Rows& rows, std::int64_t begin,
                   std::int64_t end) const;
    void runBlock(const Task& task, const Part& part, std::int64_t begin, std::int64_t end) const;

    Convolution m_c;
    const Tiles& m_tiles;
    std::int64_t m_depth;
    std::int64_t m_panels;
    std::int64_t m_blockRows = 0; // number of rows that are packed at once
};

void Own::packPanel(const std::uint8_t* filter, std::int64_t panel, std::byte* packed) const
{
    const std::int64_t width = m_tiles.columns;
    const std::int64_t first = panel * width;
    const std::int64_t there = std::min(width, m_c.filters - first);
    const std::int64_t group = m_tiles.group;
    std::byte* to = packed + panel * panelBytes();
    auto* sums = reinterpret_cast<std::int32_t*>(packed + m_panels * panelBytes()) + first;
    std::fill_n(sums, width, 0);
    std::fill_n(to, panelBytes(), std::byte{0});
    for (std::int64_t k = 0; k < m_c.depth(); ++k) {
        const std::uint8_t* codes = filter + k * m_c.filters + first;
        std::byte* row = to + k / group * group * width + k % group;
        for (std::int64_t n = 0; n < there; ++n) {
            const std::int32_t code = codes[n] - m_tiles.filterShift;
            row[n * group] = std::byte(std::uint8_t(code));
            sums[n] = wrappingPlus(sums[n], code);
        }
    }
}

// Returns the zero point if it may be subtracted from all codes of the input and this pays.
std::uint8_t Own::offsetOf(const Task& task) const
{
    const std::int32_t zero = task.zeros.input;
    if (m_tiles.sort == nullptr || zero <= 0 || zero > 255)
        return 0;
    const std::int64_t count = m_c.batch * m_c.height * m_c.width * m_c.channels;
    const auto offset = std::uint8_t(zero);
    return areAtLeast({task.input, std::size_t(count)}, offset) ? offset : std::uint8_t(0);
}

void Own::writeColumnTerms(const std::byte* packed, Zeros zeros, std::int32_t* terms) const
{
    const std::int32_t* sums = columnSums(packed);
    const std::int64_t shifted = std::int64_t(zeros.filter) - m_tiles.filterShift;
    const auto all = std::uint32_t(wrappingTimes(wrappingTimes(zeros.input, shifted), m_c.depth()));
    const auto zero = std::uint32_t(zeros.input);
    for (std::int64_t n = 0; n < m_panels * m_tiles.columns; ++n)
        terms[n] = std::int32_t(all - zero * std::uint32_t(sums[n]));
}

// Returns rows [begin, end), which it packs if it must, and computes their terms.
const std::uint8_t* Own::writeRows(const Task& task, std::int64_t begin, std::int64_t end,
                                   const Part& part) const
{
    auto* codes = reinterpret_cast<std::uint8_t*>(packedRows(part));
    const auto count = std::size_t((end - begin) * m_depth);
    const std::uint8_t* from = codes;
    if (hasRows() && part.offset == 0)
        from = task.input + begin * m_depth;
    else if (hasRows())
        subtract(part.offset, {task.input + begin * m_depth, count}, codes);
    else
        writePatches(task, begin, end, part);
    const std::int64_t shifted = std::int64_t(task.zeros.filter) - m_tiles.filterShift;
    m_tiles.sums({from, m_depth, end - begin, m_depth, wrappingTimes(-1, shifted), rowTerms(part)});
    return from;
}

void Own::writePatches(const Task& task, std::int64_t begin, std::int64_t end,
                       const Part& part) const
{
    auto* codes = reinterpret_cast<std::uint8_t*>(packedRows(part));
    const auto depth = std::size_t(m_c.depth());
    Patches(m_c, task.input, paddingByte(task.zeros))
        .eachPixel(begin, end, [&](std::int64_t at, const auto& write) {
            std::uint8_t* to = codes + (at - begin) * m_depth;
            write(to);
            if (part.offset != 0)
                subtract(part.offset, {to, depth}, to);
            std::fill(to + depth, to + m_depth, 0);
        });
}

// Sorts the blocks of the tiles of so many rows.
void Own::sortBlocks(const std::uint8_t* rows, std::int64_t count, std::int32_t* order) const
{
    BlockSort task{.codes = rows, .step = m_depth, .rows = 0, .count = m_depth, .order = order};
    eachTile(count, [&](std::int64_t height) {
        task.rows = height;
        m_tiles.sort(task);
        task.codes += height * m_depth;
        task.order += orderStep();
    });
}

// Writes an ending's numbers for whole panels.
void Own::writeEnd(const Task& task) const
{
    const ChannelEnd& end = task.ending->byChannel();
    std::byte* to = task.work + columnBytes();
    for (const auto* numbers : {&end.factors, &end.offsets, &end.highs}) {
        auto* const columns = reinterpret_cast<float*>(to);
        std::fill(std::ranges::copy(*numbers, columns).out, columns + m_panels * m_tiles.columns,
                  0.0F);
        to += columnBytes();
    }
}

TileEnd Own::endOf(const Task& task, const Part& part, std::int64_t row, std::int64_t column) const
{
    const ChannelEnd& end = task.ending->byChannel();
    const auto numbers = [&](std::int64_t which) {
        return reinterpret_cast<const float*>(task.work + which * columnBytes()) + column;
    };
    const float* const other = task.ending->other();
    return {.bias = end.bias,
            .step = end.step,
            .low = end.low,
            .factors = numbers(1),
            .offsets = numbers(2),
            .highs = numbers(3),
            .other = other == nullptr ? nullptr : other + row * m_c.filters + column,
            .least = leastReal(part) + column,
            .most = mostReal(part) + column};
}

RealRange Own::rangeOf(const Part& part) const
{
    return {*std::min_element(leastReal(part), leastReal(part) + m_c.filters),
            *std::max_element(mostReal(part), mostReal(part) + m_c.filters)};
}

void Own::runBlock(const Task& task, const Part& part, std::int64_t begin, std::int64_t end) const
{
    const std::uint8_t* rows = writeRows(task, begin, end, part);
    if (m_tiles.sort != nullptr)
        sortBlocks(rows, end - begin, orders(part));
    const std::int64_t step = std::clamp(panelsBytes / panelBytes(), std::int64_t(1), mostPanels);
    for (std::int64_t panel = part.panelBegin; panel < part.panelEnd; panel += step)
        runPanels(task, part, {rows, begin, end}, panel, std::min(part.panelEnd, panel + step));
}

TileTask Own::tileOf(const Task& task, const Part& part, const Rows& rows, std::int64_t panel) const
{
    const std::int64_t column = panel * m_tiles.columns;
    return {.a = reinterpret_cast<const std::byte*>(rows.codes),
            .aStep = m_depth,
            .b = task.packed + panel * panelBytes(),
            .groups = m_depth / m_tiles.group,
            .order = orders(part),
            .rowTerms = rowTerms(part),
            .columnTerms = reinterpret_cast<const std::int32_t*>(task.work) + column,
            .out = task.out + rows.begin * m_c.filters + column,
            .outStep = m_c.filters,
            .columns = std::min(m_tiles.columns, m_c.filters - column),
            .least = least(part) + column,
            .most = most(part) + column};
}

// Computes panels [begin, end), at most mostPanels: tile by tile, so that a row of the output is
// written in one sweep.
void Own::runPanels(const Task& task, const Part& part, const Rows& rows, std::int64_t begin,
                    std::int64_t end) const
{
    std::array<TileTask, mostPanels> tiles;
    std::array<TileEnd, mostPanels> ends;
    for (std::int64_t panel = begin; panel < end; ++panel) {
        const auto i = std::size_t(panel - begin);
        tiles[i] = tileOf(task, part, rows, panel);
        if (task.ending == nullptr)
            continue;
        ends[i] = endOf(task, part, rows.begin, panel * m_tiles.columns);
        tiles[i].end = &ends[i];
    }
    eachTile(rows.end - rows.begin, [&](std::int64_t height) {
        const TileFunction compute = m_tiles.byRows[std::size_t(height - 1)];
        for (std::size_t i = 0; i < std::size_t(end - begin); ++i) {
            TileTask& tile = tiles[i];
            compute(tile);
            tile.a += height * m_depth;
            tile.order += orderStep();
            tile.rowTerms += height;
            tile.out += height * m_c.filters;
            if (ends[i].other != nullptr)
                ends[i].other += height * m_c.filters;
        }
    });
}

void Own::runPart(const Task& task, const Part& part) const
{
    const std::int64_t columns = m_panels * m_tiles.columns;
    if (task.ending != nullptr) {
        std::fill_n(leastReal(part), columns, noReals.least);
        std::fill_n(mostReal(part), columns, noReals.most);
    } else {
        std::fill_n(least(part), columns, largestSum);
        std::fill_n(most(part), columns, smallestSum);
    }
    for (std::int64_t row = part.rowBegin; row < part.rowEnd && !task.job->cancelled();
         row += m_blockRows)
        runBlock(task, part, row, std::min(part.rowEnd, row + m_blockRows));
}

Status Own::run(const Task& task) const
{
    const std::uint8_t offset = offsetOf(task);
    writeColumnTerms(task.packed, {task.zeros.input - offset, task.zeros.filter},
                     reinterpret_cast<std::int32_t*>(task.work));
    if (task.ending != nullptr)
        writeEnd(task);
    constexpr std::int64_t operationsANanosecond = 150;
    constexpr std::int64_t bytesANanosecond = 20;
    constexpr std::int64_t enoughTiles = 4;
    const std::int64_t threads = parallelThreads();
    const std::int64_t rows = m_c.outPixels();
    const std::int64_t tiles = tilesOf(rows);
    const bool sharesRows = tiles >= enoughTiles * threads || m_panels < threads;
    const std::int64_t units = sharesRows ? tiles : m_panels;
    // For few rows, the time of a panel is the time to read it.
    const std::int64_t reading = sharesRows ? 0 : panelBytes() / bytesANanosecond;
    const std::int64_t cost =
        m_depth * rows * m_c.filters / units / operationsANanosecond + reading + 1;
    std::mutex guard;
    int parts = 0;
    parallelFor(units, cost, [&](std::int64_t begin, std::int64_t end) {
        Part part{0, rows, 0, m_panels, nullptr, offset};
        if (sharesRows) {
            part.rowBegin = rows * begin / units;
            part.rowEnd = rows * end / units;
        } else {
            part.panelBegin = begin;
            part.panelEnd = end;
        }
        {
            const std::lock_guard lock(guard);
            part.work = task.work + sharedBytes() + parts++ * partBytes();
        }
        runPart(task, part);
        if (task.ending != nullptr)
            return task.ending->include(rangeOf(part));
        const std::lock_guard lock(guard);
        if (task.ranges != nullptr)
            task.ranges->include(least(part), most(part));
    });
    return Done{};
}

} // namespace

std::unique_ptr<Prepared> prepareOwn(const Convolution& shape, const Tiles& tiles)
{
    return std::make_unique<Own>(shape, tiles);
}

} // namespace lapidary::int8
