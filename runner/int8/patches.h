#pragma once

#include "runner/int8/back_end.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <cstring>

namespace lapidary::int8 {

// The codes under the filter, one output pixel after the other; outside the image `padding`.
class Patches {
public:
    Patches(const Convolution& convolution, const std::uint8_t* input, std::uint8_t padding)
        : m_c(convolution)
        , m_input(input)
        , m_padding(padding)
    {
    }

    // Writes the depth() codes of output pixel `at`.
    void write(std::int64_t at, std::uint8_t* to) const
    {
        const std::int64_t x = at % m_c.outWidth * m_c.stride - m_c.left;
        const std::int64_t y = at / m_c.outWidth % m_c.outHeight * m_c.stride - m_c.top;
        const std::int64_t image = at / (m_c.outWidth * m_c.outHeight);
        const std::int64_t before = std::clamp<std::int64_t>(-x, 0, m_c.filterWidth);
        const std::int64_t end = std::clamp(m_c.width - x, before, m_c.filterWidth);
        const std::int64_t rowBytes = m_c.filterWidth * m_c.channels;
        for (std::int64_t i = 0; i < m_c.filterHeight; ++i, to += rowBytes) {
            if (y + i < 0 || y + i >= m_c.height) {
                std::memset(to, m_padding, std::size_t(rowBytes));
                continue;
            }
            const std::int64_t pixel = (image * m_c.height + y + i) * m_c.width + x + before;
            std::memcpy(to + before * m_c.channels, m_input + pixel * m_c.channels,
                        std::size_t((end - before) * m_c.channels));
            if (before > 0)
                std::memset(to, m_padding, std::size_t(before * m_c.channels));
            if (end < m_c.filterWidth)
                std::memset(to + end * m_c.channels, m_padding,
                            std::size_t((m_c.filterWidth - end) * m_c.channels));
        }
    }

private:
    const Convolution& m_c;
    const std::uint8_t* m_input;
    std::uint8_t m_padding;
};

// All of them, depth() codes each.
inline void writePatches(const Convolution& convolution, const Task& task, std::uint8_t* to)
{
    const Patches patches(convolution, task.input, paddingByte(task.zeros));
    const std::int64_t depth = convolution.depth();
    parallelFor(convolution.outPixels(), depth / 16 + 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end && !task.job->cancelled(); ++at)
            patches.write(at, to + at * depth);
    });
}

} // namespace lapidary::int8
