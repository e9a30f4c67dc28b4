// SPDX-License-Identifier: Apache-2.0
#include "runner/int8/convolution.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary::int8 {
namespace {

class Plain {
public:
    Plain(const Convolution& convolution, Zeros zeros, const std::uint8_t* input,
          const std::uint8_t* filter)
        : m_c(convolution)
        , m_zeros(zeros)
        , m_input(input)
        , m_filter(filter)
    {
    }

    void pixel(std::int64_t at, std::int32_t* out) const
    {
        const std::int64_t column = at % m_c.outWidth * m_c.stride - m_c.left;
        const std::int64_t row = at / m_c.outWidth % m_c.outHeight * m_c.stride - m_c.top;
        const std::int64_t image = at / (m_c.outWidth * m_c.outHeight);
        std::fill_n(out, m_c.filters, 0);
        for (std::int64_t i = 0; i < m_c.filterHeight; ++i)
            for (std::int64_t j = 0; j < m_c.filterWidth; ++j)
                tap(image, row + i, column + j, (i * m_c.filterWidth + j) * m_c.channels, out);
    }

private:
    // Adds the products of the channels of one pixel at one position of the filter.
    void tap(std::int64_t image, std::int64_t y, std::int64_t x, std::int64_t filterRow,
             std::int32_t* out) const
    {
        const bool isInside = y >= 0 && y < m_c.height && x >= 0 && x < m_c.width;
        if (!isInside && !padsWithByte(m_zeros))
            return;
        const std::uint8_t* pixel =
            isInside ? m_input + ((image * m_c.height + y) * m_c.width + x) * m_c.channels
                     : nullptr;
        for (std::int64_t c = 0; c < m_c.channels; ++c) {
            const std::uint8_t code = isInside ? pixel[c] : paddingByte(m_zeros);
            const std::uint32_t a = std::uint32_t(code) - std::uint32_t(m_zeros.input);
            const std::uint8_t* weights = m_filter + (filterRow + c) * m_c.filters;
            for (std::int64_t k = 0; k < m_c.filters; ++k)
                out[k] = std::int32_t(std::uint32_t(out[k]) +
                                      a * (weights[k] - std::uint32_t(m_zeros.filter)));
        }
    }

    const Convolution& m_c;
    Zeros m_zeros;
    const std::uint8_t* m_input;
    const std::uint8_t* m_filter;
};

} // namespace

void convolvePlainly(const Convolution& convolution, Zeros zeros, const std::uint8_t* input,
                     const std::uint8_t* filter, std::int32_t* out, const Job& job)
{
    const Plain plain(convolution, zeros, input, filter);
    const std::int64_t cost = convolution.depth() * convolution.filters;
    parallelFor(convolution.outPixels(), cost, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end && !job.cancelled(); ++at)
            plain.pixel(at, out + at * convolution.filters);
    });
}

} // namespace lapidary::int8
