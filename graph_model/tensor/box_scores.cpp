// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/box_scores.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace lapidary {
namespace {

constexpr std::int64_t fewestForNothing = 32; // boxes; most of so many contain no object
constexpr double sureOfNothing = 0.7;

// The strides of the scores.
struct ScoreSteps {
    std::int64_t classes = 1;
    std::int64_t ofBox = 1;
    std::int64_t ofClass = 1;
};

std::optional<ScoreSteps> stepsOf(const Shape& shape, std::int64_t boxes)
{
    const std::vector<std::int64_t>& dims = shape.dims;
    if (shape.unknownRank || dims.empty())
        return {};
    const std::int64_t last = dims.back();
    const std::int64_t before = dims.size() > 1 ? dims[dims.size() - 2] : 1;
    if (before == boxes && last >= 1)
        return ScoreSteps{.classes = last, .ofBox = last, .ofClass = 1};
    if (last != boxes)
        return {};
    // [batch, boxes], or [batch, classes, boxes]
    return dims.size() > 2 && before >= 1
               ? ScoreSteps{.classes = before, .ofBox = 1, .ofClass = boxes}
               : ScoreSteps{};
}

} // namespace

bool ScoreReader::fits(const Shape& shape, std::int64_t boxes)
{
    return stepsOf(shape, boxes).has_value();
}

Result<ScoreReader> ScoreReader::make(const Tensor& tensor, std::int64_t boxes,
                                      std::optional<NoObject> chosen)
{
    const auto steps = stepsOf(tensor.shape(), boxes);
    if (!steps || tensor.elements() < boxes * steps->classes)
        return Error{ErrorCode::InvalidArgument, "scores of shape " + shapeText(tensor.shape()) +
                                                     " do not fit " + std::to_string(boxes) +
                                                     " boxes; choose others"};
    ScoreReader reader;
    reader.m_boxes = boxes;
    reader.m_classes = steps->classes;
    reader.m_boxStep = steps->ofBox;
    reader.m_classStep = steps->ofClass;
    ASSIGN_OR_RETURN(reader.m_numbers, tensor.numbers(0, boxes * steps->classes));
    const bool areLogits = std::ranges::any_of(
        reader.m_numbers, [](double x) { return std::isfinite(x) && (x < 0 || x > 1); });
    if (areLogits) {
        const std::vector<double> logits = reader.m_numbers;
        reader.makeProbable(ScoreKind::Softmax);
        if (chosen.value_or(reader.classOfNothing()) == NoObject::None) {
            reader.m_numbers = logits;
            reader.makeProbable(ScoreKind::Sigmoid);
            return reader;
        }
    }
    reader.m_noObject =
        reader.m_classes > 1 ? chosen.value_or(reader.classOfNothing()) : NoObject::None;
    return reader;
}

double ScoreReader::at(std::int64_t box, std::int64_t ofClass) const
{
    return m_numbers[std::size_t(box * m_boxStep + ofClass * m_classStep)];
}

void ScoreReader::makeProbable(ScoreKind kind)
{
    m_kind = kind;
    if (kind == ScoreKind::Sigmoid) {
        for (double& x : m_numbers)
            x = 1 / (1 + std::exp(-x));
        return;
    }
    for (std::int64_t box = 0; box < m_boxes; ++box) {
        double most = at(box, 0);
        for (std::int64_t i = 1; i < m_classes; ++i)
            most = std::max(most, at(box, i));
        double sum = 0;
        for (std::int64_t i = 0; i < m_classes; ++i)
            sum += std::exp(at(box, i) - most);
        for (std::int64_t i = 0; i < m_classes; ++i) {
            double& x = m_numbers[std::size_t(box * m_boxStep + i * m_classStep)];
            x = std::exp(x - most) / sum;
        }
    }
}

NoObject ScoreReader::classOfNothing() const
{
    if (m_classes < 2 || m_boxes < fewestForNothing)
        return NoObject::None;
    const auto isOfMost = [this](std::int64_t ofClass) {
        std::int64_t boxes = 0;
        for (std::int64_t box = 0; box < m_boxes; ++box)
            boxes += at(box, ofClass) > sureOfNothing ? 1 : 0;
        return 2 * boxes > m_boxes;
    };
    return isOfMost(0)               ? NoObject::First
           : isOfMost(m_classes - 1) ? NoObject::Last
                                     : NoObject::None;
}

BoxScore ScoreReader::best(std::int64_t box) const
{
    const std::int64_t first = m_noObject == NoObject::First ? 1 : 0;
    const std::int64_t end = m_classes - (m_noObject == NoObject::Last ? 1 : 0);
    BoxScore found{at(box, first), first};
    for (std::int64_t i = first + 1; i < end; ++i)
        if (const double score = at(box, i); score > found.score)
            found = {score, i};
    return found;
}

bool ScoreReader::areSorted() const
{
    return m_classes == 1 && std::ranges::is_sorted(m_numbers, std::greater<>());
}

} // namespace lapidary
