// SPDX-License-Identifier: Apache-2.0
// Bucketize: the number of ascending boundaries that are not above x; NaN is above all of them.
// BoostedTreesBucketize: the first of each feature's boundaries that is not below its values, or
// the last one.
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

Status runBucketize(KernelContext& context)
{
    const std::vector<float> boundaries = context.attr("boundaries").floats();
    if (!std::ranges::is_sorted(boundaries))
        return context.error("the attribute boundaries must ascend");
    return runUnaryTo<std::int32_t>(
        context, TypeList<float, double, std::int32_t, std::int64_t>(), [&boundaries](auto x) {
            // An integer is compared as a float, as it is in C++.
            const auto isBelow = [](auto value, float boundary) { return value < boundary; };
            return std::upper_bound(boundaries.begin(), boundaries.end(), x, isBelow) -
                   boundaries.begin();
        });
}

Status runBoostedTreesBucketize(KernelContext& context)
{
    const std::size_t features = context.outputCount();
    if (context.inputCount() != 2 * features)
        return context.error("needs values and boundaries for each feature");
    for (std::size_t feature = 0; feature < features; ++feature) {
        const Value& values = context.input(feature);
        const Value& limits = context.input(features + feature);
        if (!values.isVector() || !limits.isVector() || limits.elements() == 0)
            return context.error("values and boundaries of feature " + std::to_string(feature) +
                                 " must be vectors, the boundaries not empty, but their shapes "
                                 "are " +
                                 dimsText(values.dims()) + " and " + dimsText(limits.dims()));
        ASSIGN_OR_RETURN(auto made, context.makeOutput(feature, DType::Int32, values.dims()));
        const auto boundaries = limits.as<float>();
        std::ranges::transform(
            values.as<float>(), made.mutableAs<std::int32_t>().begin(), [&](float value) {
                const auto at = std::lower_bound(boundaries.begin(), boundaries.end(), value);
                return std::int32_t(std::min(at, boundaries.end() - 1) - boundaries.begin());
            });
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Bucketize, runBucketize);
LAPIDARY_KERNEL(BoostedTreesBucketize, runBoostedTreesBucketize);

} // namespace lapidary
