// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"
#include "runner/kernels/wide_loop.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace lapidary {

namespace detail {
// Adds up term(element, channel, index) over all rows for `Count` channels, with the sums in
// registers.
template <std::size_t Count, class T, class Term>
void sumChannels(std::span<const T> x, std::size_t channels, std::size_t first, const Term& term,
                 double* sums)
{
    std::array<double, Count> sum{};
    for (std::size_t at = first; at < x.size(); at += channels)
        for (std::size_t c = 0; c < Count; ++c)
            sum[c] += term(double(wide(x[at + c])), first + c, at + c);
    std::ranges::copy(sum, sums + first);
}
} // namespace detail

// Returns the sum of term(element, channel, index) for each channel, the last axis.
template <class T, class Term>
std::vector<double> sumsByChannel(std::span<const T> x, std::size_t channels, const Term& term)
{
    std::vector<double> all(channels);
    double* const sums = all.data();
    wideLoop([&] {
        std::size_t c = 0;
        for (; c + 16 <= channels; c += 16)
            detail::sumChannels<16>(x, channels, c, term, sums);
        for (; c + 4 <= channels; c += 4)
            detail::sumChannels<4>(x, channels, c, term, sums);
        for (; c < channels; ++c)
            detail::sumChannels<1>(x, channels, c, term, sums);
    });
    return all;
}

} // namespace lapidary
