// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/back_end.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lapidary::int8 {

// Copies between `width` and 2 * `width` codes: the first and the last `width`, which may overlap.
template <std::size_t width>
void copyEnds(std::uint8_t* to, const std::uint8_t* from, std::size_t count)
{
    std::array<std::uint8_t, width> first{};
    std::array<std::uint8_t, width> last{};
    std::memcpy(first.data(), from, width);
    std::memcpy(last.data(), from + count - width, width);
    std::memcpy(to, first.data(), width);
    std::memcpy(to + count - width, last.data(), width);
}

// Like memcpy, but without a call for a few bytes.
inline void copyCodes(std::uint8_t* to, const std::uint8_t* from, std::size_t count)
{
    if (count >= 16 && count <= 32)
        copyEnds<16>(to, from, count);
    else if (count >= 8 && count < 16)
        copyEnds<8>(to, from, count);
    else
        std::memcpy(to, from, count);
}

// The codes under the filter, for one output pixel after the other; `padding` outside the image.
class Patches {
public:
    Patches(const Convolution& convolution, const std::uint8_t* input, std::uint8_t padding)
        : m_c(convolution)
        , m_input(input)
        , m_padding(padding)
    {
    }

    // Calls each(at, write) for the output pixels [begin, end); write(to) writes the depth() codes
    // of the pixel.
    template <class Each>
    void eachPixel(std::int64_t begin, std::int64_t end, const Each& each) const
    {
        std::int64_t column = begin % m_c.outWidth;
        std::int64_t row = begin / m_c.outWidth % m_c.outHeight;
        std::int64_t image = begin / (m_c.outWidth * m_c.outHeight);
        for (std::int64_t at = begin; at < end; ++at) {
            each(at, [&](std::uint8_t* to) { write(image, row, column, to); });
            if (++column < m_c.outWidth)
                continue;
            column = 0;
            if (++row < m_c.outHeight)
                continue;
            row = 0;
            ++image;
        }
    }

private:
    void write(std::int64_t image, std::int64_t row, std::int64_t column, std::uint8_t* to) const
    {
        const std::int64_t x = column * m_c.stride - m_c.left;
        const std::int64_t y = row * m_c.stride - m_c.top;
        if (x < 0 || y < 0 || x + m_c.filterWidth > m_c.width || y + m_c.filterHeight > m_c.height)
            return writeEdge(image, y, x, to);
        const std::int64_t rowBytes = m_c.filterWidth * m_c.channels;
        const std::int64_t step = m_c.width * m_c.channels;
        const std::uint8_t* from =
            m_input + ((image * m_c.height + y) * m_c.width + x) * m_c.channels;
        for (std::int64_t i = 0; i < m_c.filterHeight; ++i, to += rowBytes, from += step)
            copyCodes(to, from, std::size_t(rowBytes));
    }

    void writeEdge(std::int64_t image, std::int64_t y, std::int64_t x, std::uint8_t* to) const
    {
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

    const Convolution& m_c;
    const std::uint8_t* m_input;
    std::uint8_t m_padding;
};

// Writes the patches of all output pixels, depth() codes each.
inline void writePatches(const Convolution& convolution, const Task& task, std::uint8_t* to)
{
    const Patches patches(convolution, task.input, paddingByte(task.zeros));
    const std::int64_t depth = convolution.depth();
    parallelFor(convolution.outPixels(), depth / 16 + 1, [&](std::int64_t begin, std::int64_t end) {
        constexpr std::int64_t block = 4096;
        for (std::int64_t at = begin; at < end && !task.job->cancelled(); at += block)
            patches.eachPixel(
                at, std::min(end, at + block),
                [&](std::int64_t pixel, const auto& write) { write(to + pixel * depth); });
    });
}

} // namespace lapidary::int8
