// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/detections.h"
#include "tests/catch.h"
#include "tests/graph_model/tensor/float_tensor.h"

#include <cmath>
#include <limits>
#include <utility>

using namespace lapidary;
using lapidary::testing::ofFloats;

namespace {

Detections all(const DetectionTensors& tensors, const DetectionChoice& choice)
{
    auto boxes = detectionsOf(tensors, choice, Job());
    INFO((boxes ? std::string() : boxes.error().message));
    REQUIRE(boxes.ok());
    return *std::move(boxes);
}

std::vector<DetectedBox> found(const DetectionTensors& tensors, const DetectionChoice& choice)
{
    return all(tensors, choice).boxes;
}

// A detector with a square box for every place of a grid, row by row, x first, as far as that is
// from what it has learned; `side` of the picture is 1.
class Grid {
public:
    explicit Grid(std::int64_t side)
        : m_side(side)
        , m_scores(std::size_t(2 * side * side))
    {
        for (std::int64_t i = 0; i < side * side; ++i)
            setScore(i, 0.05F);
    }
    void setScore(std::int64_t box, float score)
    {
        m_scores[std::size_t(2 * box)] = 1 - score;
        m_scores[std::size_t(2 * box + 1)] = score;
    }
    Tensor boxes(bool isXFirst) const
    {
        std::vector<float> numbers;
        for (std::int64_t y = 0; y < m_side; ++y)
            for (std::int64_t x = 0; x < m_side; ++x) {
                const float step = 1.0F / float(m_side);
                const float first = float(isXFirst ? x : y) * step;
                const float second = float(isXFirst ? y : x) * step;
                numbers.insert(numbers.end(),
                               {first, second, first + 1.5F * step, second + 1.5F * step});
            }
        return ofFloats({1, m_side * m_side, 4}, numbers);
    }
    Tensor scores() const { return ofFloats({1, m_side * m_side, 2}, m_scores); }

private:
    std::int64_t m_side;
    std::vector<float> m_scores; // background first
};

} // namespace

TEST_CASE("boxes have their scores and classes, and the best comes first", "[tensor][detections]")
{
    const DetectionTensors tensors{
        ofFloats({1, 3, 4}, {0, 0.25F, 0.5F, 1, 0, 0, 1, 1, 0.5F, 0.5F, 1, 1}),
        ofFloats({1, 3}, {0.75F, 0.25F, 1}), ofFloats({1, 3}, {7, 8, 9})};
    const auto boxes = found(tensors, {});
    REQUIRE(boxes.size() == 2);
    CHECK(boxes[0].index == 2);
    CHECK(boxes[0].ofClass == 9);
    CHECK(boxes[1].top == 0);
    CHECK(boxes[1].left == 0.25);
    CHECK(boxes[1].bottom == 0.5);
    CHECK(boxes[1].right == 1);
    CHECK(found(tensors, {.leastScore = 0}).size() == 3);
}

TEST_CASE("the numbers of a box come in several orders, and in pixels", "[tensor][detections]")
{
    const DetectionTensors pixels{ofFloats({1, 4}, {32, 8, 64, 16}), {}, {}, 64, 32};
    const auto corner = found(pixels, {.order = BoxOrder::LeftTopRightBottom});
    REQUIRE(corner.size() == 1);
    CHECK(corner[0].left == 0.5);
    CHECK(corner[0].bottom == 0.5);
    CHECK(corner[0].score == 1);
    const auto middle = found(pixels, {.order = BoxOrder::CenterAndSize});
    CHECK(middle[0].left == 0);
    CHECK(middle[0].right == 1);
    CHECK(middle[0].top == 0);
}

TEST_CASE("a score for each class says which class it is", "[tensor][detections]")
{
    const DetectionTensors tensors{ofFloats({1, 2, 1, 4}, {0, 0, 1, 1, 0, 0, 1, 1}),
                                   ofFloats({1, 2, 3}, {0.1F, 0.2F, 0.7F, 0.6F, 0.3F, 0.1F})};
    const auto boxes = found(tensors, {});
    REQUIRE(boxes.size() == 2);
    CHECK(boxes[0].ofClass == 2);
    CHECK(boxes[1].ofClass == 0);
}

TEST_CASE("tensors that are not boxes are refused, and values that are not finite left out",
          "[tensor][detections]")
{
    CHECK(!isBoxShape({{4}, false}));
    CHECK(!isBoxShape({{2, 3}, false}));
    CHECK(!isBoxShape({{1, 2, 3, 4}, false}));
    const Tensor boxes =
        ofFloats({2, 4}, {0, 0, 1, std::numeric_limits<float>::quiet_NaN(), 0, 0, 1, 1});
    CHECK(found({boxes}, {}).size() == 1);
    const auto unlike = detectionsOf({boxes, ofFloats({3}, {1, 1, 1})}, {}, Job());
    REQUIRE(!unlike.ok());
    CHECK(unlike.error().message.starts_with("scores of shape"));
}

TEST_CASE("boxes for every position of a grid are those that are confident and do not overlap",
          "[tensor][detections]")
{
    Grid grid(20);
    grid.setScore(45, 0.8F);  // at x 5, y 2
    grid.setScore(46, 0.9F);  // overlaps it
    grid.setScore(310, 0.7F); // at x 10, y 15
    const DetectionTensors tensors{grid.boxes(true), grid.scores()};
    const Detections shown = all(tensors, {});
    CHECK(shown.order == BoxOrder::LeftTopRightBottom);
    CHECK(shown.noObject == NoObject::First);
    CHECK(shown.all == 400);
    CHECK(shown.lower == 397);
    CHECK(shown.overlapping == 0); // they share a fifth of their area
    REQUIRE(shown.boxes.size() == 3);
    CHECK(shown.boxes[0].index == 46);
    CHECK(shown.boxes[0].ofClass == 1);
    CHECK(shown.boxes[0].left == Approx(6.0 / 20));
    CHECK(shown.boxes[0].top == Approx(2.0 / 20));
    const Detections apart = all(tensors, {.mostOverlap = 0.1});
    CHECK(apart.boxes.size() == 2);
    CHECK(apart.overlapping == 1);
    const Detections few = all(tensors, {.mostBoxes = 2});
    CHECK(few.boxes.size() == 2);
    CHECK(few.further == 1);
    CHECK(all(tensors, {.noObject = NoObject::None}).boxes.size() ==
          100); // and most are background
}

TEST_CASE("a grid tells whether x or y comes first", "[tensor][detections]")
{
    const Grid grid(20);
    CHECK(all({grid.boxes(true)}, {}).order == BoxOrder::LeftTopRightBottom);
    CHECK(all({grid.boxes(false)}, {}).order == BoxOrder::TopLeftBottomRight);
    const auto order = BoxOrder::CenterAndSize;
    CHECK(all({grid.boxes(true)}, {.order = order}).order == order);
}

TEST_CASE("few boxes tell x from y where only one fits the picture", "[tensor][detections]")
{
    const Tensor wide = ofFloats({2, 4}, {500, 10, 600, 90, 20, 30, 60, 70});
    DetectionTensors tensors{wide, {}, {}, 640, 100};
    CHECK(all(tensors, {}).order == BoxOrder::LeftTopRightBottom);
    std::swap(tensors.pictureWidth, tensors.pictureHeight);
    tensors.usualOrder = BoxOrder::LeftTopRightBottom;
    CHECK(all(tensors, {}).order == BoxOrder::TopLeftBottomRight);
    tensors.pictureWidth = tensors.pictureHeight = 640;
    CHECK(all(tensors, {}).order == BoxOrder::LeftTopRightBottom); // as is usual
}

TEST_CASE("boxes by their middles are told from corners", "[tensor][detections]")
{
    const Tensor middles =
        ofFloats({3, 4}, {0.5F, 0.5F, 0.2F, 0.2F, 0.8F, 0.6F, 0.1F, 0.3F, 0.9F, 0.2F, 0.1F, 0.1F});
    const Detections shown = all({middles}, {});
    CHECK(shown.order == BoxOrder::CenterAndSize);
    REQUIRE(shown.boxes.size() == 3);
    CHECK(shown.boxes[0].left == Approx(0.4));
}

TEST_CASE("offsets from anchors are no boxes, unless one insists", "[tensor][detections]")
{
    std::vector<float> offsets;
    for (int i = 0; i < 64; ++i)
        offsets.push_back(float((i * 37) % 19 - 9) / 5);
    const Tensor boxes = ofFloats({1, 16, 4}, offsets);
    const auto refused = detectionsOf({boxes}, {}, Job());
    REQUIRE(!refused.ok());
    CHECK(refused.error().message.find("anchor") != std::string::npos);
    const Detections shown = all({boxes}, {.order = BoxOrder::LeftTopRightBottom});
    CHECK(shown.notBoxes > 0);
    CHECK(std::int64_t(shown.boxes.size()) + shown.notBoxes == 16);
}

TEST_CASE("logits become shares before they are compared", "[tensor][detections]")
{
    Grid grid(6);
    std::vector<float> logits;
    for (int i = 0; i < 36; ++i)
        for (const float logit : {i == 7 ? -4.0F : 6.0F, i == 7 ? 3.0F : -1.0F, -2.0F})
            logits.push_back(logit);
    const Detections shown = all({grid.boxes(true), ofFloats({1, 36, 3}, logits)}, {});
    CHECK(shown.kind == ScoreKind::Softmax);
    CHECK(shown.noObject == NoObject::First);
    REQUIRE(shown.boxes.size() == 1);
    CHECK(shown.boxes[0].index == 7);
    CHECK(shown.boxes[0].score ==
          Approx(std::exp(3.0) / (std::exp(3.0) + std::exp(-4.0) + std::exp(-2.0))));
    // No class is sure of most boxes: each stands for itself.
    for (float& logit : logits)
        logit = -5;
    logits[3 * 7 + 2] = 2;
    const Detections each = all({grid.boxes(true), ofFloats({1, 36, 3}, logits)}, {});
    CHECK(each.kind == ScoreKind::Sigmoid);
    REQUIRE(each.boxes.size() == 1);
    CHECK(each.boxes[0].ofClass == 2);
    CHECK(each.boxes[0].score == Approx(1 / (1 + std::exp(-2.0))));
}

TEST_CASE("scores may have the classes in front of the boxes", "[tensor][detections]")
{
    const Tensor boxes = ofFloats({1, 2, 4}, {0, 0, 0.4F, 0.4F, 0.5F, 0.5F, 1, 1});
    const Tensor scores = ofFloats({1, 3, 2}, {0.1F, 0.6F, 0.7F, 0.2F, 0.3F, 0.1F});
    const auto shown = found({boxes, scores}, {});
    REQUIRE(shown.size() == 2);
    CHECK(shown[0].index == 0);
    CHECK(shown[0].ofClass == 1);
    CHECK(shown[1].ofClass == 0);
}

TEST_CASE("boxes that a detector has chosen are shown though they overlap", "[tensor][detections]")
{
    const Tensor boxes = ofFloats({1, 2, 4}, {0, 0, 1, 1, 0, 0, 1, 0.9F});
    const Tensor classes = ofFloats({1, 2}, {1, 1});
    CHECK(found({boxes, ofFloats({1, 2}, {0.9F, 0.8F}), classes}, {}).size() == 2);
    CHECK(found({boxes, ofFloats({1, 2}, {0.8F, 0.9F}), classes}, {}).size() == 1);
}
