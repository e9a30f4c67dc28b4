// SPDX-License-Identifier: Apache-2.0
// CombinedNonMaxSuppression: selects the boxes of each class by itself (an overlap *above* the
// threshold drops a box), then the best of all classes, image by image.
#include "runner/kernels/detection/overlap.h"
#include "runner/kernels/detection/suppression.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

struct Detection {
    std::int64_t box = 0; // index of the box in the boxes input
    float score = 0;
    float label = 0;
};

struct Limits {
    std::int64_t perClass = 0;
    std::int64_t total = 0;
    float overlap = 0;
    float score = 0;
};

class Image {
public:
    Image(const Value& boxes, const Value& scores, std::int64_t index)
        : m_count(boxes.dim(1))
        , m_sets(boxes.dim(2))
        , m_classes(scores.dim(2))
        , m_first(index * m_count * m_sets)
        , m_boxes(boxes.as<float>())
        , m_scores(scores.as<float>().subspan(std::size_t(index * m_count * m_classes),
                                              std::size_t(m_count * m_classes)))
    {
    }

    // Adds the selected boxes of one class, best first.
    Status select(std::int64_t label, const Limits& limits, const Job& job,
                  std::vector<Detection>& found) const
    {
        const auto isBetter = [](const Detection& a, const Detection& b) {
            return a.score < b.score;
        };
        std::priority_queue<Detection, std::deque<Detection>, decltype(isBetter)> queue(isBetter);
        for (std::int64_t i = 0; i < m_count; ++i) {
            const float score = m_scores[std::size_t(i * m_classes + label)];
            if (score > limits.score)
                queue.push({m_first + i * m_sets + (m_sets > 1 ? label : 0), score, float(label)});
        }
        const std::size_t start = found.size();
        const std::size_t most = start + std::size_t(std::min(limits.perClass, m_count));
        for (; found.size() < most && !queue.empty(); queue.pop()) {
            if (job.cancelled())
                return cancelledError();
            const Detection& next = queue.top();
            const auto overlaps = [&](const Detection& kept) {
                return overlapOf(m_boxes, std::size_t(next.box), std::size_t(kept.box)) >
                       limits.overlap;
            };
            if (std::none_of(found.begin() + std::ptrdiff_t(start), found.end(), overlaps))
                found.push_back(next);
        }
        return Done{};
    }

    std::int64_t classes() const { return m_classes; }

private:
    std::int64_t m_count;
    std::int64_t m_sets; // number of coordinates of a box: one, or one for each class
    std::int64_t m_classes;
    std::int64_t m_first;
    std::span<const float> m_boxes;
    std::span<const float> m_scores;
};

std::string faultOf(const Value& boxes, const Value& scores)
{
    if (boxes.rank() != 4 || boxes.dim(3) != 4)
        return "boxes must be [batch, boxes, 1 or classes, 4], got shape " + dimsText(boxes.dims());
    if (scores.rank() != 3)
        return "scores must be [batch, boxes, classes], got shape " + dimsText(scores.dims());
    if (boxes.dim(0) != scores.dim(0))
        return "boxes and scores must have same batch size";
    if (boxes.dim(1) != scores.dim(1))
        return "there are scores for " + std::to_string(scores.dim(1)) + " of " +
               std::to_string(boxes.dim(1)) + " boxes";
    if (boxes.dim(2) != 1 && boxes.dim(2) != scores.dim(2))
        return "third dimension of boxes must be either 1 or the number of classes";
    return {};
}

Result<Limits> limitsOf(const KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto perClass, countLimitInput(context, 2, "max_output_size_per_class"));
    ASSIGN_OR_RETURN(const auto total, countLimitInput(context, 3, "max_total_size"));
    if (context.input(3).as<std::int32_t>()[0] <= 0)
        return context.error("max_total_size must be above 0");
    ASSIGN_OR_RETURN(const auto overlap, limitInput(context, 4, "iou_threshold"));
    RETURN_IF_ERROR(checkOverlapLimit(context, overlap));
    ASSIGN_OR_RETURN(const auto score, limitInput(context, 5, "score_threshold"));
    return Limits{perClass, total, overlap, score};
}

struct Outputs {
    Value boxes;
    Value scores;
    Value labels;
    Value valid;
};

Result<Outputs> makeOutputs(KernelContext& context, std::int64_t batch, std::int64_t length)
{
    ASSIGN_OR_RETURN(auto boxes, context.makeOutput(0, DType::Float, {batch, length, 4}));
    ASSIGN_OR_RETURN(auto scores, context.makeOutput(1, DType::Float, {batch, length}));
    ASSIGN_OR_RETURN(auto labels, context.makeOutput(2, DType::Float, {batch, length}));
    ASSIGN_OR_RETURN(auto valid, context.makeOutput(3, DType::Int32, {batch}));
    Outputs out{boxes, scores, labels, valid};
    for (Value* value : {&out.boxes, &out.scores, &out.labels})
        std::ranges::fill(value->mutableAs<float>(), 0.0F);
    return out;
}

void store(Outputs& out, std::int64_t image, std::span<const Detection> found, const Value& boxes,
           bool isClipped)
{
    const std::int64_t first = image * out.scores.dim(1);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto at = std::size_t(first) + i;
        for (std::size_t k = 0; k < 4; ++k) {
            const float x = boxes.as<float>()[std::size_t(found[i].box) * 4 + k];
            out.boxes.mutableAs<float>()[at * 4 + k] =
                isClipped ? std::max(std::min(x, 1.0F), 0.0F) : x;
        }
        out.scores.mutableAs<float>()[at] = found[i].score;
        out.labels.mutableAs<float>()[at] = found[i].label;
    }
    out.valid.mutableAs<std::int32_t>()[std::size_t(image)] = std::int32_t(found.size());
}

Status runCombinedNonMaxSuppression(KernelContext& context)
{
    const Value& boxes = context.input(0);
    const Value& scores = context.input(1);
    const std::string fault = faultOf(boxes, scores);
    if (!fault.empty())
        return context.error(fault);
    ASSIGN_OR_RETURN(const auto limits, limitsOf(context));
    std::int64_t length = limits.total;
    std::int64_t perAll = 0;
    if (context.boolAttr("pad_per_class") &&
        !__builtin_mul_overflow(limits.perClass, scores.dim(2), &perAll))
        length = std::min(length, perAll);
    ASSIGN_OR_RETURN(auto made, makeOutputs(context, boxes.dim(0), length));
    const bool isClipped = context.boolAttr("clip_boxes", true);
    for (std::int64_t n = 0; n < boxes.dim(0); ++n) {
        const Image image(boxes, scores, n);
        std::vector<Detection> found;
        for (std::int64_t label = 0; label < image.classes(); ++label)
            RETURN_IF_ERROR(image.select(label, limits, context.job(), found));
        std::sort(found.begin(), found.end(),
                  [](const Detection& a, const Detection& b) { return a.score > b.score; });
        found.resize(std::min(found.size(), std::size_t(length)));
        store(made, n, found, boxes, isClipped);
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(CombinedNonMaxSuppression, runCombinedNonMaxSuppression);

} // namespace lapidary
