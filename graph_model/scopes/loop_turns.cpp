// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/loop_turns.h"

#include <algorithm>
#include <vector>

namespace lapidary {
namespace {

constexpr std::int64_t largest = std::int64_t(1) << 40; // prevents overflow

std::optional<std::int64_t> smallNumber(const KnownNumber& number, Endpoint from)
{
    if (!from.node.isValid())
        return std::nullopt;
    const std::optional<std::int64_t> known = number(from);
    const bool isSmall = known && *known > -largest && *known < largest;
    return isSmall ? known : std::nullopt;
}

// Returns the number of iterations until `start` + count * `step` meets the relation with `limit`;
// nothing if it never does.
std::optional<std::int64_t> turnsUntil(std::string_view relation, std::int64_t start,
                                       std::int64_t step, std::int64_t limit)
{
    if (relation == "<" || relation == "≤") {
        // Same with reversed signs.
        return turnsUntil(relation == "<" ? ">" : "≥", -start, -step, -limit);
    }
    const std::int64_t least = relation == ">" ? limit + 1 : limit;
    if (relation == "≥" || relation == ">") {
        if (start >= least)
            return 0;
        if (step <= 0)
            return std::nullopt;
        return (least - start + step - 1) / step;
    }
    if (relation == "≠")
        return start != limit ? std::optional<std::int64_t>(0)
                              : (step != 0 ? std::optional<std::int64_t>(1) : std::nullopt);
    const std::int64_t way = limit - start;
    if (relation != "=" || (step == 0 && way != 0) ||
        (step != 0 && (way % step != 0 || way / step < 0)))
        return std::nullopt;
    return step == 0 ? 0 : way / step;
}

std::optional<std::int64_t> turnsOf(const LoopStop& stop, const KnownNumber& number)
{
    const auto start = smallNumber(number, stop.start);
    const auto step = smallNumber(number, stop.step);
    const auto limit = smallNumber(number, stop.limit);
    if (!start || !step || !limit)
        return std::nullopt;
    return turnsUntil(stop.relation, *start, stop.isSubtracted ? -*step : *step, *limit);
}

// Returns the deciding stops, if the iteration counts of all are known: the one that is met first,
// and among equal ones the one with the shortest text.
std::vector<LoopStop> decidingStops(const DrawnLoop& frame, const KnownNumber& number)
{
    const LoopStop* first = nullptr;
    std::int64_t least = 0;
    for (const LoopStop& stop : frame.stops) {
        const std::optional<std::int64_t> turns = turnsOf(stop, number);
        if (!turns)
            return frame.stops;
        const bool isShorter = first != nullptr && stop.subject.size() < first->subject.size();
        if (first == nullptr || *turns < least || (*turns == least && isShorter))
            first = &stop;
        least = std::min(first == &stop ? *turns : least, *turns);
    }
    return first == nullptr ? frame.stops : std::vector<LoopStop>{*first};
}

} // namespace

std::string loopEnd(const DrawnLoop& frame, const KnownNumber& number)
{
    std::string text;
    for (const LoopStop& stop : decidingStops(frame, number)) {
        text += text.empty() ? "" : " or ";
        text += stop.subject;
        if (stop.relation.empty())
            continue;
        const std::optional<std::int64_t> limit =
            stop.limit.node.isValid() ? number(stop.limit) : std::nullopt;
        text += " ";
        text += stop.relation;
        text += " " + (limit ? std::to_string(*limit) : stop.limitName);
    }
    return text;
}

std::optional<LoopTurns> loopTurns(const DrawnLoop& frame, const KnownNumber& number)
{
    std::optional<LoopTurns> turns;
    bool areAllKnown = true;
    for (const LoopStop& stop : frame.stops) {
        const std::optional<std::int64_t> count = turnsOf(stop, number);
        areAllKnown = areAllKnown && count.has_value();
        if (count)
            turns = LoopTurns{std::min(turns ? turns->count : *count, *count)};
    }
    if (turns)
        turns->isMost = !areAllKnown && turns->count > 0;
    return turns;
}

} // namespace lapidary
