// SPDX-License-Identifier: Apache-2.0
#include "runner/int8/requantization_vectors.h"
#include "runner/int8/tested.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <string>

namespace lapidary::int8 {
namespace {

class Plain final : public Prepared {
public:
    explicit Plain(const Convolution& shape)
        : m_c(shape)
    {
    }
    bool takes(Zeros /*zeros*/) const override { return true; }
    Status run(const Task& task) const override
    {
        convolvePlainly(m_c, task.zeros, task.input, task.filter, task.out, *task.job);
        if (task.ranges != nullptr)
            includeRows({task.out, std::size_t(m_c.outPixels() * m_c.filters)}, *task.ranges);
        return Done{};
    }

private:
    Convolution m_c;
};

constexpr std::array<const BackEnd*, 4> table{&ownBackEnd, &onednnBackEnd, &gemmlowpBackEnd,
                                              &plainBackEndEntry};

std::string namesThatRun()
{
    std::string names;
    for (const BackEnd* backEnd : table)
        if (backEnd->isAvailable())
            names += (names.empty() ? "" : ", ") + std::string(backEnd->name);
    return names;
}

} // namespace

const BackEnd plainBackEndEntry{
    .name = "plain",
    .summary = "plain reference kernels; any processor",
    .isAvailable = [] { return true; },
    .prepare = [](const Convolution& shape) -> std::unique_ptr<Prepared> {
        return std::make_unique<Plain>(shape);
    },
    .verdict = &verdictOf<plainBackEndEntry>,
};

std::span<const BackEnd* const> backEnds()
{
    return table;
}

const BackEnd& plainBackEnd()
{
    return plainBackEndEntry;
}

Result<const BackEnd*> chooseBackEnd(std::string_view name)
{
    for (const BackEnd* backEnd : table) {
        if (!name.empty() && backEnd->name != name)
            continue;
        const bool isAvailable = backEnd->isAvailable();
        if (isAvailable && backEnd->verdict().ok())
            return backEnd;
        if (name.empty())
            continue;
        if (isAvailable)
            return backEnd->verdict().error();
        return Error{ErrorCode::Unsupported, "back end " + std::string(name) + " (" +
                                                 std::string(backEnd->summary) +
                                                 ") cannot run here; these can: " + namesThatRun()};
    }
    return Error{ErrorCode::NotFound, "no back end is named " + std::string(name) +
                                          "; these run here: " + namesThatRun()};
}

ChannelRanges::ChannelRanges(std::int64_t channels)
    : least(std::size_t(channels), std::numeric_limits<std::int32_t>::max())
    , most(std::size_t(channels), std::numeric_limits<std::int32_t>::lowest())
{
}

void ChannelRanges::include(const std::int32_t* lows, const std::int32_t* highs)
{
    for (std::size_t c = 0; c < least.size(); ++c) {
        least[c] = std::min(least[c], lows[c]);
        most[c] = std::max(most[c], highs[c]);
    }
}

Range32 ChannelRanges::all() const
{
    return {rangeOfFew(least).least, rangeOfFew(most).most};
}

void includeRows(std::span<const std::int32_t> sums, ChannelRanges& ranges)
{
    const auto channels = std::int64_t(ranges.least.size());
    std::mutex guard;
    parallelFor(std::int64_t(sums.size()) / channels, channels,
                [&](std::int64_t begin, std::int64_t end) {
                    ChannelRanges mine(channels);
                    for (std::int64_t row = begin; row < end; ++row)
                        mine.include(sums.data() + row * channels, sums.data() + row * channels);
                    const std::lock_guard lock(guard);
                    ranges.include(mine.least.data(), mine.most.data());
                });
}

Range32 rangeOfSums(std::span<const std::int32_t> sums)
{
    if (sums.empty())
        return {};
    Range32 all{sums[0], sums[0]};
    std::mutex guard;
    parallelFor(std::int64_t(sums.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        const Range32 part = rangeOfFew(sums.subspan(std::size_t(begin), std::size_t(end - begin)));
        const std::lock_guard lock(guard);
        all = {std::min(all.least, part.least), std::max(all.most, part.most)};
    });
    return all;
}

Range32 rangeOfFew(std::span<const std::int32_t> sums)
{
    if (sums.empty())
        return {};
    Range32 range{sums.front(), sums.front()};
    for (std::size_t i = includeVectors(sums, range); i < sums.size(); ++i)
        range = {std::min(range.least, sums[i]), std::max(range.most, sums[i])};
    return range;
}

} // namespace lapidary::int8
