// SPDX-License-Identifier: Apache-2.0
// NonMaxSuppressionWithOverlaps: like NonMaxSuppressionV3, with a matrix of overlaps of any kind.
#include "runner/kernels/detection/suppression.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

std::string overlapsFault(const Value& overlaps, const Value& scores)
{
    if (overlaps.rank() != 2)
        return "overlaps must be 2-D, got shape " + dimsText(overlaps.dims());
    if (overlaps.dim(0) != overlaps.dim(1))
        return "overlaps must be square, got shape " + dimsText(overlaps.dims());
    if (!scores.isVector() || scores.dim(0) != overlaps.dim(0))
        return "scores must have one element for each of " + std::to_string(overlaps.dim(0)) +
               " boxes, got shape " + dimsText(scores.dims());
    if (overlaps.dim(0) > std::numeric_limits<std::int32_t>::max())
        return "there are too many boxes";
    return {};
}

Status runNonMaxSuppressionWithOverlaps(KernelContext& context)
{
    const Value& overlaps = context.input(0);
    const std::string fault = overlapsFault(overlaps, context.input(1));
    if (!fault.empty())
        return context.error(fault);
    ASSIGN_OR_RETURN(const auto count, countLimitInput(context, 2, "max_output_size"));
    ASSIGN_OR_RETURN(const auto most, limitInput(context, 3, "overlap_threshold"));
    ASSIGN_OR_RETURN(const auto least, limitInput(context, 4, "score_threshold"));
    const auto overlap = [values = overlaps.as<float>(), n = overlaps.dim(0)](std::int32_t i,
                                                                              std::int32_t j) {
        return values[std::size_t(i * n + j)];
    };
    const SuppressionLimits limits{std::min(count, overlaps.dim(0)), most, least};
    Suppression<float, decltype(overlap)> suppression(context.input(1).as<float>(), limits,
                                                      overlap);
    ASSIGN_OR_RETURN(const auto selection, suppression.run(context.job()));
    const auto& indices = selection.indices;
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::Int32, {std::int64_t(indices.size())}));
    std::ranges::copy(indices, out.mutableAs<std::int32_t>().begin());
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(NonMaxSuppressionWithOverlaps, runNonMaxSuppressionWithOverlaps);

} // namespace lapidary
