// SPDX-License-Identifier: Apache-2.0
#include "transforms/classify/pixel_scale.h"

#include <algorithm>

namespace lapidary {
namespace {

// Most classifiers take pixels in one of these ranges, and few files tell in which.
constexpr PixelScale usualScales[]{{0, 255}, {127.5F, 127.5F}, {0, 1}};

// Returns a sample of the pictures, from the whole folder.
Classes someOf(const Classes& classes)
{
    constexpr std::size_t most = 40;
    Classes some{.labels = classes.labels, .samples = {}};
    const std::size_t count = classes.samples.size();
    for (std::size_t i = 0; i < std::min(most, count); ++i)
        some.samples.push_back(classes.samples[i * count / std::min(most, count)]);
    return some;
}

} // namespace

std::optional<BetterPixels> betterPixels(const GraphEntry& entry, const std::string& path,
                                         const ClassifyPlan& plan, const Classes& classes,
                                         const Job& job)
{
    const Classes some = someOf(classes);
    const auto share = [&](const PixelScale& scale) {
        ClassifyPlan other = plan;
        other.labeling.feed.mean = scale.mean;
        other.labeling.feed.std = scale.std;
        const auto found = evaluateGraph(entry, path, std::move(other), some, job);
        return found ? found->top1.value_or(0) : 0.0;
    };
    const PixelScale own{plan.labeling.feed.mean, plan.labeling.feed.std};
    const double taken = share(own);
    BetterPixels best{some.samples.size(), taken, taken, own};
    for (const PixelScale& scale : usualScales)
        if (const double found = scale == own ? 0 : share(scale); found > best.share) {
            best.share = found;
            best.scale = scale;
        }
    return best.scale == own ? std::nullopt : std::optional(best);
}

} // namespace lapidary
