// SPDX-License-Identifier: Apache-2.0
#include "app/cli/pixel_advice.h"

#include "transforms/classify/evaluate_folder.h"

#include <algorithm>
#include <cstdio>

namespace lapidary {
namespace {

// Most classifiers take pixels in one of these ranges, and few files tell in which.
struct PixelRange {
    float mean;
    float std;
};
constexpr PixelRange usualRanges[]{{0, 255}, {127.5F, 127.5F}, {0, 1}};

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

bool givesPixelRange(const CLI::App& options)
{
    return options.count("--input-mean") > 0 || options.count("--input-std") > 0;
}

void advisePixelRange(const GraphEntry& entry, const std::string& path, const ClassifyPlan& plan,
                      const Classes& classes, Console& console)
{
    const Classes some = someOf(classes);
    const auto share = [&](const PixelRange& range) {
        ClassifyPlan other = plan;
        other.labeling.feed.mean = range.mean;
        other.labeling.feed.std = range.std;
        const auto found = evaluateGraph(entry, path, std::move(other), some, console.job);
        return found ? found->top1.value_or(0) : 0.0;
    };
    const PixelRange* best = &usualRanges[0];
    const double taken = share(*best);
    double most = taken;
    for (const PixelRange& range : usualRanges)
        if (const double found = &range == best ? 0 : share(range); found > most) {
            most = found;
            best = &range;
        }
    if (best == &usualRanges[0])
        return;
    char text[240];
    std::snprintf(
        text, sizeof text,
        "pixels are divided by 255, as label_image does; of %zu pictures %.0f %% are right "
        "so, and %.0f %% with --input-mean %g --input-std %g",
        some.samples.size(), taken * 100, most * 100, double(best->mean), double(best->std));
    console.complain(text);
}

} // namespace lapidary
