// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/autopilot_choice.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

bool holdsSize(const AutopilotPoint& point, const AutopilotOptions& options)
{
    return sizeOf(point, options) <=
           mostSize(options).value_or(std::numeric_limits<std::int64_t>::max());
}

// With a size limit, chooses the most accurate point within it, or the smallest if none is; without
// a limit, the most accurate.
void chooseNearest(Autopilot& found, const AutopilotOptions& options)
{
    const bool isLimited = mostSize(options).has_value();
    found.chosen = isLimited ? found.front.front() : found.front.back();
    for (const std::size_t i : found.front)
        if (isLimited && holdsSize(found.points[i], options))
            found.chosen = i;
    const bool isTimed = options.isTimed();
    found.why = holdsSize(found.points[*found.chosen], options)
                    ? "no file reaches the accuracy; this is the most accurate one"
                : isTimed ? "no file is that fast; this is the fastest"
                          : "no file is that small; this is the smallest";
}

} // namespace

bool holdsAccuracy(const AutopilotPoint& point, const AutopilotOptions& options)
{
    if (options.leastDb)
        return point.noise.sqnrDb() >= *options.leastDb;
    constexpr double rounding = 1e-9;
    return point.loss <= options.mostLoss + rounding;
}

std::int64_t sizeOf(const AutopilotPoint& point, const AutopilotOptions& options)
{
    if (options.isTimed())
        return point.nanoseconds;
    return options.mostGzipBytes ? point.gzipBytes : point.bytes;
}

std::optional<std::int64_t> mostSize(const AutopilotOptions& options)
{
    if (options.isTimed())
        return options.mostNanoseconds;
    return options.mostGzipBytes ? options.mostGzipBytes : options.mostBytes;
}

void choosePoint(Autopilot& found, const AutopilotOptions& options)
{
    std::vector<AutopilotPoint>& points = found.points;
    std::ranges::stable_sort(points, {},
                             [&](const AutopilotPoint& one) { return sizeOf(one, options); });
    for (std::size_t i = 0; i < points.size(); ++i)
        if (found.front.empty() || points[i].noise.ratio < points[found.front.back()].noise.ratio)
            found.front.push_back(i);
    if (points.empty()) {
        found.why = "no storage format of the layers keeps the results of the model";
        return;
    }
    for (const std::size_t i : found.front) {
        if (!holdsAccuracy(points[i], options) || !holdsSize(points[i], options))
            continue;
        // Chooses the smallest; with a size limit, the best within it.
        if (!found.holdsBudget || mostSize(options))
            found.chosen = i;
        found.holdsBudget = true;
    }
    if (!found.holdsBudget) {
        chooseNearest(found, options);
        return;
    }
    found.why = options.isTimed()   ? "the most accurate file that is that fast"
                : mostSize(options) ? "the most accurate file of that size"
                                    : "the smallest file that reaches the accuracy";
}

} // namespace lapidary
