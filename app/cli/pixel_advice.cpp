// SPDX-License-Identifier: Apache-2.0
#include "app/cli/pixel_advice.h"

#include "transforms/classify/pixel_scale.h"

#include <cstdio>

namespace lapidary {

bool givesPixelRange(const CLI::App& options)
{
    return options.count("--input-mean") > 0 || options.count("--input-std") > 0;
}

void advisePixelRange(const GraphEntry& entry, const std::string& path, const ClassifyPlan& plan,
                      const Classes& classes, Console& console)
{
    const auto better = betterPixels(entry, path, plan, classes, console.job);
    if (!better)
        return;
    char text[240];
    std::snprintf(
        text, sizeof text,
        "pixels are divided by 255, as label_image does; of %zu pictures %.0f %% are right "
        "so, and %.0f %% with --input-mean %g --input-std %g",
        better->pictures, better->taken * 100, better->share * 100, double(better->scale.mean),
        double(better->scale.std));
    console.complain(text);
}

} // namespace lapidary
