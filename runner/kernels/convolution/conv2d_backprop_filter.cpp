// SPDX-License-Identifier: Apache-2.0
// Conv2DBackpropFilter: the gradient of Conv2D for a filter of size `filter_sizes`: element [i, j,
// c, k] is the sum of x[n, row stride + i - pad, column stride + j - pad, c] dy[n, row, column, k]
// over all n, row, column of out_backprop. No dilation, no groups, NHWC only.
#include "runner/kernels/convolution/convolution_geometry.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/wide_loop.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

// Returns the outputs [begin, end) of an axis whose window has its element `tap` in the data.
std::pair<std::int64_t, std::int64_t> outputsThatRead(const WindowAxis& axis, std::int64_t tap)
{
    const std::int64_t shift = axis.before - tap; // output o reads o stride - shift
    const std::int64_t begin = shift <= 0 ? 0 : (shift + axis.stride - 1) / axis.stride;
    const std::int64_t last = axis.input - 1 + shift;
    return {begin, std::min(axis.output, last < 0 ? 0 : last / axis.stride + 1)};
}

// The position of an element [i, j] of the filter in the data and in the incoming gradient.
struct Tap {
    std::int64_t row = 0;
    std::int64_t column = 0;
};

template <class T>
class FilterGradient {
public:
    using Sum = decltype(wide(T()));

    FilterGradient(const KernelContext& context, const Conv2dGeometry& geometry)
        : m_geometry(geometry)
        , m_x(context.input(0).as<T>())
        , m_back(context.input(2).as<T>())
        , m_job(context.job())
    {
    }

    // Computes the sums of [tap, channels from `first` to `end`, all outputs]: so few that they
    // stay in a cache.
    void sum(Tap tap, std::int64_t first, std::int64_t end, T* to) const
    {
        std::vector<Sum> sums(std::size_t((end - first) * m_geometry.outChannels));
        const auto [rowBegin, rowEnd] = outputsThatRead(m_geometry.rows, tap.row);
        for (std::int64_t image = 0; image < m_geometry.batch; ++image)
            for (std::int64_t row = rowBegin; row < rowEnd && !m_job.cancelled(); ++row)
                wideLoop([&] { addRow(tap, image, row, first, end, sums.data()); });
        std::ranges::transform(sums, to, [](Sum sum) { return T(sum); });
    }

private:
    void addRow(Tap tap, std::int64_t image, std::int64_t row, std::int64_t first, std::int64_t end,
                Sum* sums) const
    {
        const WindowAxis& rows = m_geometry.rows;
        const WindowAxis& columns = m_geometry.columns;
        const auto [begin, stop] = outputsThatRead(columns, tap.column);
        const std::int64_t from = row * rows.stride + tap.row - rows.before;
        for (std::int64_t column = begin; column < stop; ++column) {
            const std::int64_t at = column * columns.stride + tap.column - columns.before;
            const T* x = m_x.data() +
                         ((image * rows.input + from) * columns.input + at) * m_geometry.inChannels;
            const T* back =
                m_back.data() +
                ((image * rows.output + row) * columns.output + column) * m_geometry.outChannels;
            addProducts(x + first, end - first, back, sums);
        }
    }

    void addProducts(const T* x, std::int64_t channels, const T* back, Sum* sums) const
    {
        for (std::int64_t c = 0; c < channels; ++c) {
            const Sum factor = wide(x[c]);
            Sum* to = sums + c * m_geometry.outChannels;
            for (std::int64_t k = 0; k < m_geometry.outChannels; ++k)
                to[k] += factor * wide(back[k]);
        }
    }

    const Conv2dGeometry& m_geometry;
    std::span<const T> m_x;
    std::span<const T> m_back;
    const Job& m_job;
};

template <class T>
void computeFilter(const KernelContext& context, const Conv2dGeometry& geometry, T* to)
{
    constexpr std::int64_t block = 8; // channels of the data whose sums are computed together
    const FilterGradient<T> gradient(context, geometry);
    const std::int64_t blocks = (geometry.inChannels + block - 1) / block;
    const std::int64_t taps = geometry.rows.kernel * geometry.columns.kernel;
    const std::int64_t cost = geometry.batch * geometry.rows.output * geometry.columns.output *
                              block * geometry.outChannels / 4;
    parallelFor(taps * blocks, cost, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end && !context.job().cancelled(); ++at) {
            const std::int64_t tap = at / blocks;
            const std::int64_t first = at % blocks * block;
            gradient.sum({tap / geometry.columns.kernel, tap % geometry.columns.kernel}, first,
                         std::min(first + block, geometry.inChannels),
                         to + (tap * geometry.inChannels + first) * geometry.outChannels);
        }
    });
}

Status runConv2DBackpropFilter(KernelContext& context)
{
    const Value& x = context.input(0);
    const Dims sizes = context.input(1).integers();
    ASSIGN_OR_RETURN(
        const auto geometry,
        gradientGeometry(context,
                         {.data = x.dims(), .filter = sizes, .result = context.input(2).dims()}));
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, x.dtype(), sizes));
    const bool known = dispatch(TypeList<float, double, Half>(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        computeFilter<T>(context, geometry, y.template mutableAs<T>().data());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(Conv2DBackpropFilter, runConv2DBackpropFilter,
                .ranks = {Rank::Four, Rank::Vector, Rank::Four});

} // namespace lapidary
