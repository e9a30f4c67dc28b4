// SPDX-License-Identifier: Apache-2.0
#include "views/panels/profile/folded_time.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr double shortestGap = 0.05; // of the time in which something runs
constexpr double foldedGap = 0.03;

} // namespace

FoldedTime::FoldedTime(std::span<const ProfiledSlice> slices)
{
    std::vector<std::pair<double, double>> runs;
    for (const ProfiledSlice& slice : slices)
        runs.emplace_back(double(slice.startNanoseconds), double(slice.end()));
    std::ranges::sort(runs);
    double busy = 0;
    std::vector<Gap> gaps;
    for (const auto& [begin, end] : runs) {
        if (begin > m_end)
            gaps.push_back({.begin = m_end, .end = begin});
        busy += std::max(end - std::max(begin, m_end), 0.0);
        m_end = std::max(m_end, end);
    }
    double saved = 0;
    for (Gap gap : gaps) {
        if (gap.length() <= shortestGap * busy)
            continue;
        gap.at = gap.begin - saved;
        gap.width = foldedGap * busy;
        saved += gap.length() - gap.width;
        m_gaps.push_back(gap);
    }
}

double FoldedTime::onAxis(double time) const
{
    const auto after = std::ranges::upper_bound(m_gaps, time, {}, &Gap::begin);
    if (after == m_gaps.begin())
        return time;
    const Gap& gap = *std::prev(after);
    if (time >= gap.end)
        return gap.at + gap.width + time - gap.end;
    return gap.at + gap.width * (time - gap.begin) / gap.length();
}

double FoldedTime::timeAt(double place) const
{
    const auto after = std::ranges::upper_bound(m_gaps, place, {}, &Gap::at);
    if (after == m_gaps.begin())
        return place;
    const Gap& gap = *std::prev(after);
    if (place >= gap.at + gap.width)
        return gap.end + place - gap.at - gap.width;
    return gap.begin + gap.length() * (place - gap.at) / gap.width;
}

} // namespace lapidary
