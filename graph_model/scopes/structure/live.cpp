// SPDX-License-Identifier: Apache-2.0
// Decides which elements carry data, and which half of a training graph they are in.
#include "graph_model/scopes/structure/level.h"

#include <algorithm>

namespace lapidary::structure {
namespace {

bool isSource(const Level& level, std::uint32_t e)
{
    if (level.isContext(e))
        return true;
    const std::uint32_t item = level.element[e];
    if (level.flow->isResource[item])
        return false;
    const OpTraits& traits = level.traits(e);
    if (!traits.isLiveSource)
        return false;
    // An Enter of a constant or variable carries no data.
    return !traits.isRead || std::ranges::any_of(level.inputs[e], [&](const Wire& wire) {
        return !level.traits(wire.source).isParameter && !level.traits(wire.source).isRead;
    });
}

// Makes all elements live except parameters. Used if few elements are live, because the graph then
// has no recognizable input.
void takeAllButParameters(Level& level)
{
    std::vector<bool> isParameter(level.size(), false);
    for (const std::uint32_t e : level.topological) {
        const OpTraits& traits = level.traits(e);
        const bool readsOnlyParameters =
            !level.inputs[e].empty() && std::ranges::all_of(level.inputs[e], [&](const Wire& wire) {
                return isParameter[wire.source];
            });
        isParameter[e] = traits.isParameter || (traits.isRead && readsOnlyParameters);
        level.isLive[e] = !isParameter[e] && !traits.isAssign;
    }
}

template <class Visit>
void spreadDown(const Level& level, std::vector<bool>& mark, const Visit& mayEnter)
{
    for (const std::uint32_t e : level.topological)
        if (!mark[e] && mayEnter(e))
            mark[e] = std::ranges::any_of(level.inputs[e],
                                          [&](const Wire& wire) { return mark[wire.source]; });
}

} // namespace

void findLiveElements(Level& level)
{
    std::size_t count = 0;
    for (std::uint32_t e = 0; e < level.size(); ++e)
        level.isLive[e] = isSource(level, e);
    spreadDown(level, level.isLive, [&](std::uint32_t e) { return !level.traits(e).isAssign; });
    for (std::uint32_t e = 0; e < level.size(); ++e)
        count += level.isLive[e];
    if (count * 4 < level.size())
        takeAllButParameters(level);
    // Elements without data inputs or readers have no position in an order by data.
    for (std::uint32_t e = 0; e < level.size(); ++e) {
        const auto isLive = [&](std::uint32_t other) { return bool(level.isLive[other]); };
        if (level.isLive[e] && !level.isContext(e) && !level.inputs[e].empty() &&
            level.readers[e].empty() &&
            std::ranges::none_of(level.inputs[e],
                                 [&](const Wire& wire) { return isLive(wire.source); }))
            level.isLive[e] = false;
    }
}

void splitHalves(Level& level)
{
    bool isTraining = false;
    for (std::uint32_t e = 0; e < level.size(); ++e)
        isTraining |= level.isLive[e] && level.traits(e).provesTraining;
    if (!isTraining)
        return;
    std::vector<bool> backward(level.size(), false);
    for (std::uint32_t e = 0; e < level.size(); ++e)
        backward[e] = level.isLive[e] && level.traits(e).isGradient;
    spreadDown(level, backward, [&](std::uint32_t e) { return bool(level.isLive[e]); });
    for (auto e = level.topological.rbegin(); e != level.topological.rend(); ++e) {
        if (!level.isLive[*e] || backward[*e] || !level.traits(*e).isShapeOrArithmetic)
            continue;
        bool hasReader = false;
        bool allBackward = true;
        for (const std::uint32_t reader : level.readers[*e])
            if (level.isLive[reader]) {
                hasReader = true;
                allBackward &= backward[reader];
            }
        backward[*e] = hasReader && allBackward;
    }
    std::size_t second = 0;
    std::size_t first = 0;
    for (std::uint32_t e = 0; e < level.size(); ++e)
        (backward[e] ? second : first) += level.isLive[e];
    if (first < 10 || second < 10)
        return;
    level.hasHalves = true;
    level.isBackward = std::move(backward);
}

} // namespace lapidary::structure
