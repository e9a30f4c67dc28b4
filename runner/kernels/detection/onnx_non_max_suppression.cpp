// SPDX-License-Identifier: Apache-2.0
// NonMaxSuppression of ONNX: picture by picture and class by class. It differs from TensorFlow's
// ops in its threshold, which an overlap has to exceed, and in that equal scores come in the order
// of their boxes.
#include "runner/kernels/detection/suppression.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace lapidary {
namespace {

struct OnnxLimits {
    std::int64_t count = 0;
    float overlap = 0;
    float score = std::numeric_limits<float>::lowest();
};

std::string faultOf(const KernelContext& context)
{
    constexpr std::array types{DType::Float, DType::Float, DType::Int64, DType::Float,
                               DType::Float};
    if (context.inputCount() != types.size())
        return "needs boxes, scores and three limits";
    for (std::size_t i = 0; i < types.size(); ++i)
        if (context.input(i).dtype() != types[i])
            return "input " + std::to_string(i) + " must be " + dtypeName(types[i]) + ", got " +
                   dtypeName(context.input(i).dtype());
    const Value& boxes = context.input(0);
    const Value& scores = context.input(1);
    if (boxes.rank() != 3 || boxes.dim(2) != 4)
        return "boxes must be [pictures, boxes, 4], got shape " + dimsText(boxes.dims());
    if (scores.rank() != 3)
        return "scores must be [pictures, classes, boxes], got shape " + dimsText(scores.dims());
    if (scores.dim(0) != boxes.dim(0) || scores.dim(2) != boxes.dim(1))
        return "scores of shape " + dimsText(scores.dims()) + " do not belong to boxes of shape " +
               dimsText(boxes.dims());
    return {};
}

template <class T>
Result<T> oneOf(const KernelContext& context, std::size_t slot, std::string_view name)
{
    const Value& value = context.input(slot);
    if (value.elements() != 1)
        return context.error(std::string(name) + " must be one number, got shape " +
                             dimsText(value.dims()));
    return value.as<T>()[0];
}

Result<OnnxLimits> onnxLimitsOf(const KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto count,
                     oneOf<std::int64_t>(context, 2, "max_output_boxes_per_class"));
    ASSIGN_OR_RETURN(const float overlap, oneOf<float>(context, 3, "iou_threshold"));
    ASSIGN_OR_RETURN(const float score, oneOf<float>(context, 4, "score_threshold"));
    if (!(overlap >= 0 && overlap <= 1))
        return context.error("iou_threshold must be in [0, 1]");
    return OnnxLimits{count, overlap, score};
}

// Returns the corners of boxes that are given by center and size.
std::vector<float> cornersOf(std::span<const float> boxes)
{
    std::vector<float> corners(boxes.size());
    for (std::size_t box = 0; box < boxes.size(); box += 4)
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const float half = boxes[box + axis + 2] / 2;
            corners[box + axis] = boxes[box + axis] - half;
            corners[box + axis + 2] = boxes[box + axis] + half;
        }
    return corners;
}

Status runOnnxNonMaxSuppression(KernelContext& context)
{
    const std::string fault = faultOf(context);
    if (!fault.empty())
        return context.error(fault);
    const Value& boxes = context.input(0);
    const Value& scores = context.input(1);
    ASSIGN_OR_RETURN(const OnnxLimits limits, onnxLimitsOf(context));
    const bool isCentered = context.boolAttr("center_point_box");
    const auto count = std::size_t(scores.dim(2));
    std::vector<std::int64_t> rows;
    for (std::int64_t picture = 0; picture < scores.dim(0); ++picture) {
        auto own = boxes.as<float>().subspan(std::size_t(picture) * count * 4, count * 4);
        std::vector<float> corners;
        if (isCentered) {
            corners = cornersOf(own);
            own = corners;
        }
        for (std::int64_t kind = 0; kind < scores.dim(1); ++kind) {
            const auto first = std::size_t(picture * scores.dim(1) + kind) * count;
            const auto mine = scores.as<float>().subspan(first, count);
            std::vector<std::size_t> candidates;
            for (std::size_t i = 0; i < count; ++i)
                if (mine[i] > limits.score)
                    candidates.push_back(i);
            ASSIGN_OR_RETURN(const auto kept,
                             bestApart(own, mine, std::move(candidates), limits.overlap,
                                       limits.count, context.job()));
            for (const std::size_t place : kept)
                rows.insert(rows.end(), {picture, kind, std::int64_t(place)});
        }
    }
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(0, DType::Int64, {std::int64_t(rows.size() / 3), 3}));
    std::ranges::copy(rows, made.mutableAs<std::int64_t>().begin());
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(_Onnx_NonMaxSuppression, runOnnxNonMaxSuppression);

} // namespace lapidary
