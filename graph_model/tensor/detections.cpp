// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/detections.h"

#include "graph_model/tensor/packed_boxes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapidary {
namespace {

constexpr std::int64_t mostBoxesOfTensor = 100'000;
constexpr double usualOverlap = 0.5;

Error wrongShape(const std::string& what, const Shape& shape)
{
    return {ErrorCode::InvalidArgument, what + " of shape " + shapeText(shape) +
                                            " do not fit boxes of shape [boxes, 4]; choose others"};
}

DetectedBox ordered(const double* numbers, BoxOrder order)
{
    DetectedBox box;
    switch (order) {
    case BoxOrder::TopLeftBottomRight:
        box.top = numbers[0];
        box.left = numbers[1];
        box.bottom = numbers[2];
        box.right = numbers[3];
        break;
    case BoxOrder::LeftTopRightBottom:
        box.left = numbers[0];
        box.top = numbers[1];
        box.right = numbers[2];
        box.bottom = numbers[3];
        break;
    case BoxOrder::CenterAndSize:
        box.left = numbers[0] - numbers[2] / 2;
        box.right = numbers[0] + numbers[2] / 2;
        box.top = numbers[1] - numbers[3] / 2;
        box.bottom = numbers[1] + numbers[3] / 2;
        break;
    }
    return box;
}

double areaOf(const DetectedBox& box)
{
    return (box.right - box.left) * (box.bottom - box.top);
}

// Returns the intersection over union of two boxes.
double sharedBy(const DetectedBox& a, const DetectedBox& b)
{
    const double wide = std::min(a.right, b.right) - std::max(a.left, b.left);
    const double high = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    if (wide <= 0 || high <= 0)
        return 0;
    return wide * high / (areaOf(a) + areaOf(b) - wide * high);
}

// Keeps the best boxes, and of those that overlap only the best one. O(boxes * kept).
Status keepBest(Detections& found, std::optional<double> overlap, std::int64_t most, const Job& job)
{
    std::vector<DetectedBox> kept;
    for (const DetectedBox& box : found.boxes) {
        if (job.cancelled())
            return cancelledError();
        if (std::int64_t(kept.size()) >= most) {
            ++found.further;
            continue;
        }
        const bool isCovered =
            overlap && std::ranges::any_of(kept, [&](const DetectedBox& better) {
                return better.ofClass == box.ofClass && sharedBy(better, box) > *overlap;
            });
        if (isCovered)
            ++found.overlapping;
        else
            kept.push_back(box);
    }
    found.areApart = overlap.has_value();
    found.boxes = std::move(kept);
    return Done{};
}

// Makes boxes of the numbers, their scores and their classes.
class BoxMaker {
public:
    BoxMaker(const DetectionTensors& tensors, const DetectionChoice& choice)
        : m_tensors(tensors)
        , m_choice(choice)
        , m_count(boxCount(tensors.boxes.shape()))
    {
    }

    Status read(Detections& found)
    {
        found.all = m_count;
        ASSIGN_OR_RETURN(m_numbers, m_tensors.boxes.numbers(0, 4 * m_count));
        const PixelSize size{m_tensors.pictureWidth, m_tensors.pictureHeight};
        const auto order =
            m_choice.order ? m_choice.order : orderOf(m_numbers, size, m_tensors.usualOrder);
        if (!order)
            return Error{ErrorCode::InvalidArgument,
                         "these numbers are not boxes: most would be empty or outside the "
                         "picture, like the anchor offsets of a detector. Show the tensor of "
                         "decoded boxes, or choose another order"};
        found.order = *order;
        if (m_tensors.scores) {
            ASSIGN_OR_RETURN(m_scores,
                             ScoreReader::make(*m_tensors.scores, m_count, m_choice.noObject));
            found.noObject = m_scores->noObject();
            found.kind = m_scores->kind();
            found.classes = m_scores->classes();
        }
        return readClasses();
    }

    Status make(Detections& found, const Job& job) const
    {
        const bool inPixels = arePixels(m_numbers);
        const double wide = inPixels && m_tensors.pictureWidth > 0 ? m_tensors.pictureWidth : 1;
        const double high = inPixels && m_tensors.pictureHeight > 0 ? m_tensors.pictureHeight : 1;
        for (std::int64_t i = 0; i < m_count; ++i) {
            if (i % 4096 == 0 && job.cancelled())
                return cancelledError();
            DetectedBox box = ordered(m_numbers.data() + 4 * i, found.order);
            if (!(areaOf(box) > 0 && box.right > box.left) || !std::isfinite(areaOf(box))) {
                ++found.notBoxes;
                continue;
            }
            box.index = i;
            box.left /= wide;
            box.right /= wide;
            box.top /= high;
            box.bottom /= high;
            addScore(box);
            if (box.score >= m_choice.leastScore)
                found.boxes.push_back(box);
            else
                ++found.lower;
        }
        return Done{};
    }

    // Returns whether the detector has not selected its boxes itself.
    bool areRaw() const { return m_scores && !m_scores->areSorted(); }

private:
    Status readClasses()
    {
        if (!m_tensors.classes)
            return Done{};
        const Tensor& classes = *m_tensors.classes;
        std::vector<std::int64_t> dims = classes.shape().dims;
        if (dims.size() > 1 && dims.back() == 1)
            dims.pop_back();
        if (dims.empty() || dims.back() != m_count || classes.elements() < m_count)
            return wrongShape("classes", classes.shape());
        ASSIGN_OR_RETURN(m_classes, classes.numbers(0, m_count));
        return Done{};
    }

    void addScore(DetectedBox& box) const
    {
        if (m_scores) {
            const BoxScore best = m_scores->best(box.index);
            box.score = best.score;
            if (m_scores->classes() > 1)
                box.ofClass = best.ofClass;
        }
        if (!m_classes.empty() && std::isfinite(m_classes[std::size_t(box.index)]))
            box.ofClass = std::llround(m_classes[std::size_t(box.index)]);
    }

    const DetectionTensors& m_tensors;
    const DetectionChoice& m_choice;
    std::int64_t m_count;
    std::vector<double> m_numbers;
    std::vector<double> m_classes;
    std::optional<ScoreReader> m_scores;
};

} // namespace

bool isBoxShape(const Shape& shape)
{
    if (shape.unknownRank || shape.dims.size() < 2 || shape.dims.back() != 4)
        return false;
    std::vector<std::int64_t> dims(shape.dims.begin(), shape.dims.end() - 1);
    if (dims.size() > 1 && dims.back() == 1)
        dims.pop_back();
    return dims.size() <= 2 && dims.back() >= 1 && dims.back() <= mostBoxesOfTensor;
}

std::int64_t boxCount(const Shape& shape)
{
    std::vector<std::int64_t> dims = shape.dims;
    dims.pop_back();
    if (dims.size() > 1 && dims.back() == 1)
        dims.pop_back();
    return dims.back();
}

Result<Detections> detectionsOf(const DetectionTensors& tensors, const DetectionChoice& choice,
                                const Job& job)
{
    if (packedShape(tensors.boxes.shape())) {
        ASSIGN_OR_RETURN(auto unpacked, unpackedBoxes(tensors.boxes, choice.hasObjectness, job));
        const bool hasObjectness = unpacked.hasObjectness;
        DetectionTensors parts = tensors;
        parts.boxes = std::move(unpacked.boxes);
        parts.scores = std::move(unpacked.scores);
        parts.classes = std::move(unpacked.classes);
        parts.usualOrder = unpacked.usualOrder;
        ASSIGN_OR_RETURN(auto found, detectionsOf(parts, choice, job));
        found.arePacked = true;
        found.hasObjectness = hasObjectness;
        return found;
    }
    if (!isBoxShape(tensors.boxes.shape()))
        return wrongShape("boxes", tensors.boxes.shape());
    Detections found;
    if (tensors.boxes.elements() < 4 * boxCount(tensors.boxes.shape()))
        return found;
    BoxMaker maker(tensors, choice);
    RETURN_IF_ERROR(maker.read(found));
    RETURN_IF_ERROR(maker.make(found, job));
    std::ranges::stable_sort(
        found.boxes, [](const DetectedBox& a, const DetectedBox& b) { return a.score > b.score; });
    const auto usual = maker.areRaw() ? std::optional(usualOverlap) : std::nullopt;
    RETURN_IF_ERROR(
        keepBest(found, choice.mostOverlap ? choice.mostOverlap : usual, choice.mostBoxes, job));
    return found;
}

} // namespace lapidary
