// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tflite/sparse_values.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

using Ints = std::vector<std::int64_t>;

class Spreading {
public:
    Spreading(const SparseLayout& layout, const std::vector<std::int32_t>& sizes,
              std::size_t elementSize, std::string_view stored)
        : m_layout(layout)
        , m_rank(sizes.size())
        , m_sizes(sizes.begin(), sizes.end())
        , m_elementSize(elementSize)
        , m_stored(stored)
    {
    }

    std::optional<std::string> run(std::uint64_t limit)
    {
        if (!measure(limit))
            return std::nullopt;
        m_dense.assign(std::size_t(m_count) * m_elementSize, '\0');
        m_at.assign(m_layout.axes.size(), 0);
        if (!spread(0, 0) || m_next != m_stored.size())
            return std::nullopt;
        return std::move(m_dense);
    }

private:
    // Checks that each axis occurs once and that all levels together have as many elements as the
    // tensor.
    bool measure(std::uint64_t limit)
    {
        const std::size_t levels = m_layout.axes.size();
        constexpr std::size_t mostLevels = 16;
        if (levels > mostLevels || m_layout.order.size() != levels ||
            levels != m_rank + m_layout.blocks.size())
            return false;
        m_levelOf.assign(levels, -1);
        for (std::size_t level = 0; level < levels; ++level) {
            const std::int64_t axis = m_layout.order[level];
            if (axis < 0 || std::size_t(axis) >= levels || m_levelOf[std::size_t(axis)] >= 0)
                return false;
            m_levelOf[std::size_t(axis)] = std::int64_t(level);
        }
        m_blockOf.assign(m_rank, -1);
        for (std::size_t block = 0; block < m_layout.blocks.size(); ++block) {
            const std::int64_t axis = m_layout.blocks[block];
            if (axis < 0 || std::size_t(axis) >= m_rank || m_blockOf[std::size_t(axis)] >= 0)
                return false;
            m_blockOf[std::size_t(axis)] = std::int64_t(m_rank + block);
        }
        m_places.assign(levels, 0);
        for (std::size_t level = 0; level < levels; ++level)
            m_places[level] = m_layout.axes[level].isSparse ? 0 : m_layout.axes[level].size;
        for (std::size_t axis = 0; axis < m_rank; ++axis) {
            const std::int64_t block = blockSize(axis);
            std::int64_t& parts = m_places[std::size_t(m_levelOf[axis])];
            if (parts == 0 && block > 0) // not given by a sparse axis
                parts = m_sizes[axis] / block;
            if (parts < 1 || block < 1 || parts > m_sizes[axis] || block > m_sizes[axis] ||
                parts * block != m_sizes[axis] || m_count > limit / std::uint64_t(m_sizes[axis]))
                return false;
            m_count *= std::uint64_t(m_sizes[axis]);
        }
        return m_elementSize > 0 && m_count <= limit / m_elementSize;
    }

    std::int64_t blockSize(std::size_t axis) const
    {
        return m_blockOf[axis] < 0 ? 1
                                   : m_places[std::size_t(m_levelOf[std::size_t(m_blockOf[axis])])];
    }

    // Writes all elements of a level; `outer` is the index in the level above.
    bool spread(std::size_t level, std::int64_t outer)
    {
        if (level == m_layout.axes.size())
            return put();
        const SparseAxis& axis = m_layout.axes[level];
        if (!axis.isSparse) {
            for (std::int64_t place = 0; place < m_places[level]; ++place) {
                m_at[level] = place;
                if (!spread(level + 1, outer * m_places[level] + place))
                    return false;
            }
            return true;
        }
        if (std::size_t(outer) + 1 >= axis.segments.size())
            return false;
        const std::int64_t begin = axis.segments[std::size_t(outer)];
        const std::int64_t end = axis.segments[std::size_t(outer) + 1];
        if (begin < 0 || end < begin || std::size_t(end) > axis.places.size() ||
            end - begin > m_places[level])
            return false;
        for (std::int64_t i = begin; i < end; ++i) {
            m_at[level] = axis.places[std::size_t(i)];
            if (m_at[level] < 0 || m_at[level] >= m_places[level] || !spread(level + 1, i))
                return false;
        }
        return true;
    }

    bool put()
    {
        if (m_stored.size() - m_next < m_elementSize)
            return false;
        std::int64_t element = 0;
        for (std::size_t axis = 0; axis < m_rank; ++axis) {
            std::int64_t place = m_at[std::size_t(m_levelOf[axis])];
            if (m_blockOf[axis] >= 0)
                place = place * blockSize(axis) +
                        m_at[std::size_t(m_levelOf[std::size_t(m_blockOf[axis])])];
            element = element * m_sizes[axis] + place;
        }
        std::memcpy(m_dense.data() + std::size_t(element) * m_elementSize, m_stored.data() + m_next,
                    m_elementSize);
        m_next += m_elementSize;
        return true;
    }

    const SparseLayout& m_layout;
    std::size_t m_rank;
    Ints m_sizes;
    std::size_t m_elementSize;
    std::string_view m_stored;
    std::uint64_t m_count = 1;
    Ints m_levelOf; // by axis; those of blocks after the tensor's own
    Ints m_blockOf; // by axis of the tensor: the axis of its block; -1: not divided
    Ints m_places;  // by level: the number of indices
    Ints m_at;      // by level: the current index
    std::string m_dense;
    std::size_t m_next = 0;
};

} // namespace

std::optional<std::string> denseValues(const SparseLayout& layout,
                                       const std::vector<std::int32_t>& sizes,
                                       std::size_t elementSize, std::string_view stored,
                                       std::uint64_t limit)
{
    return Spreading(layout, sizes, elementSize, stored).run(limit);
}

} // namespace lapidary
