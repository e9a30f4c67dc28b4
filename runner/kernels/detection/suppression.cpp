// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/detection/suppression.h"

#include "runner/kernels/detection/overlap.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

std::string boxesFault(const Value& boxes, const Value& scores)
{
    if (boxes.rank() != 2)
        return "boxes must be 2-D, got shape " + dimsText(boxes.dims());
    if (boxes.dim(1) != 4)
        return "boxes must have 4 columns, got shape " + dimsText(boxes.dims());
    if (!scores.isVector())
        return "scores must be 1-D, got shape " + dimsText(scores.dims());
    if (scores.dim(0) != boxes.dim(0))
        return "there are " + std::to_string(scores.dim(0)) + " scores for " +
               std::to_string(boxes.dim(0)) + " boxes";
    if (boxes.dim(0) > std::numeric_limits<std::int32_t>::max())
        return "there are too many boxes";
    return {};
}

template <class T>
Status outputs(KernelContext& context, const Selection<T>& selection, std::int64_t count)
{
    const auto valid = std::int64_t(selection.indices.size());
    const bool isPadded = context.boolAttr("pad_to_max_output_size");
    const bool hasScores = context.node().op() == "NonMaxSuppressionV5";
    const std::int64_t length = isPadded ? std::max(valid, count) : valid;
    ASSIGN_OR_RETURN(auto indices, context.makeOutput(0, DType::Int32, {length}));
    const auto places = indices.mutableAs<std::int32_t>();
    std::ranges::fill(places, 0);
    std::ranges::copy(selection.indices, places.begin());
    if (hasScores) {
        ASSIGN_OR_RETURN(auto scores, context.makeOutput(1, dtypeOf<T>(), {length}));
        const auto values = scores.template mutableAs<T>();
        std::ranges::fill(values, T(0.0F));
        std::ranges::copy(selection.scores, values.begin());
    }
    if (context.outputCount() == 1)
        return Done{};
    ASSIGN_OR_RETURN(auto total, context.makeOutput(context.outputCount() - 1, DType::Int32, {}));
    total.mutableAs<std::int32_t>()[0] = std::int32_t(valid);
    return Done{};
}

template <class T>
Status select(KernelContext& context, SuppressionLimits limits)
{
    const auto boxes = context.input(0).as<T>();
    const auto overlap = [boxes](std::int32_t i, std::int32_t j) {
        return overlapOf(boxes, std::size_t(i), std::size_t(j));
    };
    const std::int64_t asked = limits.count;
    limits.count = std::min(asked, context.input(0).dim(0));
    Suppression<T, decltype(overlap)> suppression(context.input(1).as<T>(), limits, overlap);
    ASSIGN_OR_RETURN(const auto selection, suppression.run(context.job()));
    const bool isLimited = context.input(2).as<std::int32_t>()[0] >= 0;
    return outputs(context, selection, isLimited ? asked : 0);
}

} // namespace

Result<std::vector<std::size_t>> bestApart(std::span<const float> boxes,
                                           std::span<const float> scores,
                                           std::vector<std::size_t> candidates, float overlap,
                                           std::int64_t most, const Job& job)
{
    std::ranges::stable_sort(candidates,
                             [scores](auto a, auto b) { return scores[a] > scores[b]; });
    std::vector<std::size_t> kept;
    for (const std::size_t next : candidates) {
        if (std::int64_t(kept.size()) >= most)
            break;
        if (job.cancelled())
            return cancelledError();
        const bool isFree = std::ranges::none_of(kept, [&](std::size_t one) {
            stopPoint();
            return overlapOf(boxes, one, next) > overlap;
        });
        if (isFree)
            kept.push_back(next);
    }
    return kept;
}

Result<std::int64_t> countLimitInput(const KernelContext& context, std::size_t input,
                                     std::string_view name)
{
    const Value& value = context.input(input);
    if (!value.isScalar())
        return context.error(std::string(name) + " must be 0-D, got shape " +
                             dimsText(value.dims()));
    const std::int32_t count = value.as<std::int32_t>()[0];
    return count < 0 ? std::numeric_limits<std::int64_t>::max() : count;
}

Result<float> limitInput(const KernelContext& context, std::size_t input, std::string_view name)
{
    const Value& value = context.input(input);
    if (!value.isScalar())
        return context.error(std::string(name) + " must be 0-D, got shape " +
                             dimsText(value.dims()));
    return value.dtype() == DType::Half ? float(value.as<Half>()[0]) : value.as<float>()[0];
}

Status checkOverlapLimit(const KernelContext& context, float threshold)
{
    if (threshold >= 0.0F && threshold <= 1.0F)
        return Done{};
    return context.error("iou_threshold must be in [0, 1]");
}

Result<SuppressionLimits> suppressionLimits(const KernelContext& context)
{
    const std::string fault = boxesFault(context.input(0), context.input(1));
    if (!fault.empty())
        return context.error(fault);
    ASSIGN_OR_RETURN(const auto count, countLimitInput(context, 2, "max_output_size"));
    const bool isHalf = context.input(1).dtype() == DType::Half;
    SuppressionLimits limits{.count = count,
                             .overlap = context.floatAttr("iou_threshold", 0.5F),
                             .score = isHalf ? -65504.0F : std::numeric_limits<float>::lowest()};
    constexpr std::string_view names[] = {"iou_threshold", "score_threshold", "soft_nms_sigma"};
    float* const places[] = {&limits.overlap, &limits.score, &limits.sigma};
    for (std::size_t i = 3; i < context.inputCount(); ++i) {
        ASSIGN_OR_RETURN(const auto value, limitInput(context, i, names[i - 3]));
        *places[i - 3] = value;
    }
    RETURN_IF_ERROR(checkOverlapLimit(context, limits.overlap));
    if (limits.sigma < 0.0F)
        return context.error("soft_nms_sigma must not be negative");
    return limits;
}

Status selectBoxes(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto limits, suppressionLimits(context));
    const DType dtype = context.input(0).dtype();
    if (dtype != context.input(1).dtype())
        return context.error("boxes and scores must have the same type");
    Status status = Done{};
    const bool known = dispatch(TypeList<float, Half>(), dtype, [&](auto zero) {
        status = select<decltype(zero)>(context, limits);
    });
    return known ? status : context.error("has no kernel for " + dtypeName(dtype));
}

} // namespace lapidary
