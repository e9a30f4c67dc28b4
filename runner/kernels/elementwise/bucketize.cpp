// Bucketize: how many of the ascending boundaries are not above x; NaN lies above all.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <algorithm>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const std::vector<float> boundaries = context.attr("boundaries").floats();
    if (!std::ranges::is_sorted(boundaries))
        return context.error("the attribute boundaries must ascend");
    return runUnaryTo<std::int32_t>(
        context, TypeList<float, double, std::int32_t, std::int64_t>(), [&boundaries](auto x) {
            const auto above = [](auto value, float boundary) {
                return value < decltype(value)(boundary);
            };
            return std::upper_bound(boundaries.begin(), boundaries.end(), x, above) -
                   boundaries.begin();
        });
}

} // namespace

const Kernel kernels::bucketize{.op = "Bucketize", .run = run};

} // namespace lapidary
