// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/detections.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::int64_t mostBoxes = 100'000;
constexpr double mostRelative = 2; // beyond it coordinates are pixels

Error wrongShape(const std::string& what, const Shape& shape)
{
    return {ErrorCode::InvalidArgument, what + " of shape " + shapeText(shape) +
                                            " do not fit boxes of shape [boxes, 4]; choose others"};
}

// The number of boxes of one element of the batch.
std::int64_t boxCount(const Shape& shape)
{
    std::vector<std::int64_t> dims = shape.dims;
    dims.pop_back();
    if (dims.size() > 1 && dims.back() == 1)
        dims.pop_back();
    return dims.back();
}

// Score and class of a box, of one score or of one for each class.
struct ScoreReader {
    std::vector<double> numbers;
    std::int64_t ofBox = 1;

    double score(std::int64_t box) const { return numbers[best(box)]; }
    std::size_t best(std::int64_t box) const
    {
        const auto begin = numbers.begin() + box * ofBox;
        return std::size_t(std::max_element(begin, begin + ofBox) - numbers.begin());
    }
};

Result<ScoreReader> readerOf(const Tensor& tensor, const char* what, std::int64_t boxes)
{
    const std::vector<std::int64_t>& dims = tensor.shape().dims;
    ScoreReader reader;
    const bool isOneEach = !dims.empty() && dims.back() == boxes;
    const bool isByClass = dims.size() > 1 && dims[dims.size() - 2] == boxes;
    if (!isOneEach && !isByClass)
        return wrongShape(what, tensor.shape());
    reader.ofBox = isOneEach ? 1 : dims.back();
    if (reader.ofBox < 1 || tensor.elements() < boxes * reader.ofBox)
        return wrongShape(what, tensor.shape());
    ASSIGN_OR_RETURN(reader.numbers, tensor.numbers(0, boxes * reader.ofBox));
    return reader;
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

} // namespace

bool isBoxShape(const Shape& shape)
{
    if (shape.unknownRank || shape.dims.size() < 2 || shape.dims.back() != 4)
        return false;
    std::vector<std::int64_t> dims(shape.dims.begin(), shape.dims.end() - 1);
    if (dims.size() > 1 && dims.back() == 1)
        dims.pop_back();
    return dims.size() <= 2 && dims.back() >= 1 && dims.back() <= mostBoxes;
}

Result<std::vector<DetectedBox>> detectionsOf(const DetectionTensors& tensors,
                                              const DetectionChoice& choice, const Job& job)
{
    if (!isBoxShape(tensors.boxes.shape()))
        return wrongShape("boxes", tensors.boxes.shape());
    const std::int64_t count = boxCount(tensors.boxes.shape());
    if (tensors.boxes.elements() < 4 * count)
        return std::vector<DetectedBox>();
    ASSIGN_OR_RETURN(const auto numbers, tensors.boxes.numbers(0, 4 * count));
    std::optional<ScoreReader> scores;
    std::optional<ScoreReader> classes;
    if (tensors.scores) {
        ASSIGN_OR_RETURN(scores, readerOf(*tensors.scores, "scores", count));
    }
    if (tensors.classes) {
        ASSIGN_OR_RETURN(classes, readerOf(*tensors.classes, "classes", count));
    }
    const bool arePixels = std::ranges::any_of(
        numbers, [](double x) { return std::isfinite(x) && std::abs(x) > mostRelative; });
    const double wide = arePixels && tensors.pictureWidth > 0 ? tensors.pictureWidth : 1;
    const double high = arePixels && tensors.pictureHeight > 0 ? tensors.pictureHeight : 1;
    std::vector<DetectedBox> found;
    for (std::int64_t i = 0; i < count; ++i) {
        if (i % 4096 == 0 && job.cancelled())
            return cancelledError();
        const double* const four = numbers.data() + 4 * i;
        const double score = scores ? scores->score(i) : 1;
        if (!(score >= choice.leastScore) ||
            !std::all_of(four, four + 4, [](double x) { return std::isfinite(x); }))
            continue;
        DetectedBox box = ordered(four, choice.order);
        box.index = i;
        box.left /= wide;
        box.right /= wide;
        box.top /= high;
        box.bottom /= high;
        box.score = score;
        if (classes && std::isfinite(classes->numbers[classes->best(i)]))
            box.ofClass = std::llround(classes->numbers[classes->best(i)]);
        else if (scores && scores->ofBox > 1)
            box.ofClass = std::int64_t(scores->best(i)) - i * scores->ofBox;
        found.push_back(box);
    }
    std::ranges::stable_sort(
        found, [](const DetectedBox& a, const DetectedBox& b) { return a.score > b.score; });
    return found;
}

} // namespace lapidary
