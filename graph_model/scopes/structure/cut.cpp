// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/structure/cut.h"

#include <algorithm>

namespace lapidary::structure {
namespace {

constexpr std::uint32_t smallEnough = 24; // a lopsided cut of this many atoms is acceptable
constexpr int mostRemovals = 12;

std::vector<Stretch> cutAt(Stretch whole, const std::vector<std::uint32_t>& gaps)
{
    std::vector<Stretch> parts;
    std::uint32_t begin = whole.begin;
    for (const std::uint32_t gap : gaps) {
        parts.push_back({begin, gap});
        begin = gap + 1;
    }
    parts.push_back({begin, whole.end});
    return parts;
}

std::uint32_t largestOf(const std::vector<Stretch>& parts)
{
    std::uint32_t largest = 0;
    for (const Stretch& part : parts)
        largest = std::max(largest, part.length());
    return largest;
}

std::vector<Stretch> chain(const Sequence& sequence, Stretch whole)
{
    std::vector<std::uint32_t> gaps;
    for (std::uint32_t g = whole.begin; g < whole.end; ++g)
        if (sequence.width[g] <= 1)
            gaps.push_back(g);
    return gaps.empty() ? std::vector<Stretch>{} : cutAt(whole, gaps);
}

// Returns the branches that the last atom joins: stretches that do not read each other. Empty if
// there are none.
std::vector<Stretch> branches(const Sequence& sequence, Stretch whole)
{
    std::vector<std::uint32_t> ends;
    bool readsOutside = false;
    for (const Sequence::Input& input : sequence.inputs[whole.end]) {
        if (input.isHub)
            continue;
        if (input.source < whole.begin)
            readsOutside = true;
        else
            ends.push_back(input.source);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    if (ends.empty() || ends.back() + 1 != whole.end || ends.size() + readsOutside < 2)
        return {};
    std::size_t branch = 0;
    std::uint32_t begin = whole.begin;
    for (std::uint32_t p = whole.begin; p < whole.end; ++p) {
        if (p > ends[branch])
            begin = ends[branch++] + 1;
        for (const Sequence::Input& input : sequence.inputs[p])
            if (!input.isHub && input.source >= whole.begin && input.source < begin)
                return {};
    }
    return cutAt(whole, ends);
}

// Cuts at all gaps of least width; if one part is still too large, the longest ranges are removed
// first.
std::vector<Stretch> narrowest(const Sequence& sequence, Stretch whole)
{
    const std::uint32_t n = whole.length();
    std::vector<std::uint32_t> width(sequence.width.begin() + whole.begin,
                                     sequence.width.begin() + whole.end);
    std::vector<Stretch> ranges; // live ranges inside, clipped
    std::vector<std::uint32_t> outside;
    for (std::uint32_t p = whole.begin; p <= whole.end; ++p) {
        if (sequence.last[p] > p)
            ranges.push_back({p, std::min(sequence.last[p], whole.end)});
        for (const Sequence::Input& input : sequence.inputs[p])
            if (!input.isHub && input.source < whole.begin)
                outside.push_back(input.source);
    }
    std::sort(outside.begin(), outside.end());
    outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
    for (const std::uint32_t source : outside)
        ranges.push_back({whole.begin, std::min(sequence.last[source], whole.end)});
    std::erase_if(ranges, [&](const Stretch& range) { return (range.length() - 1) * 3 < n; });
    std::stable_sort(ranges.begin(), ranges.end(),
                     [](const Stretch& a, const Stretch& b) { return a.length() > b.length(); });
    for (std::size_t removed = 0;; ++removed) {
        const std::uint32_t least = *std::min_element(width.begin(), width.end());
        std::vector<std::uint32_t> gaps;
        for (std::uint32_t i = 0; i < width.size(); ++i)
            if (width[i] == least)
                gaps.push_back(whole.begin + i);
        std::vector<Stretch> parts = cutAt(whole, gaps);
        const std::uint32_t largest = largestOf(parts);
        if (largest * 2 <= n || removed == ranges.size() || removed == mostRemovals)
            return largest * 5 <= n * 4 ? parts : std::vector<Stretch>{};
        for (std::uint32_t g = ranges[removed].begin; g < ranges[removed].end; ++g)
            --width[g - whole.begin];
    }
}

std::vector<Stretch> balanced(const Sequence& sequence, Stretch whole)
{
    const std::uint32_t n = whole.length();
    const std::uint32_t count = std::max(2U, std::min(20U, n / 25));
    std::vector<std::uint32_t> gaps;
    for (std::uint32_t k = 1; k < count; ++k) {
        const auto middle = whole.begin + std::uint32_t(std::uint64_t(n) * k / count) - 1;
        const std::uint32_t reach = n / count / 3;
        const std::uint32_t low =
            std::max(gaps.empty() ? whole.begin : gaps.back() + 1,
                     middle > whole.begin + reach ? middle - reach : whole.begin);
        const std::uint32_t high = std::min(whole.end - 1, middle + reach);
        std::uint32_t best = none;
        const auto distance = [&](std::uint32_t g) { return g > middle ? g - middle : middle - g; };
        for (std::uint32_t g = low; g <= high; ++g)
            if (best == none || sequence.width[g] < sequence.width[best] ||
                (sequence.width[g] == sequence.width[best] && distance(g) < distance(best)))
                best = g;
        if (best != none)
            gaps.push_back(best);
    }
    return cutAt(whole, gaps);
}

} // namespace

Cut cutStretch(const Sequence& sequence, Stretch whole)
{
    if (std::vector<Stretch> parts = chain(sequence, whole); !parts.empty())
        return {Way::Chain, std::move(parts)};
    std::vector<Stretch> parts = branches(sequence, whole);
    if (!parts.empty() &&
        (whole.length() <= smallEnough || largestOf(parts) * 5 <= whole.length() * 4))
        return {Way::Parallel, std::move(parts)};
    parts = narrowest(sequence, whole);
    if (!parts.empty())
        return {Way::Narrow, std::move(parts)};
    return {Way::Balanced, balanced(sequence, whole)};
}

} // namespace lapidary::structure
