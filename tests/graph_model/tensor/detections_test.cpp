// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/detections.h"
#include "graph_model/tensor/make_tensor.h"
#include "tests/catch.h"

#include <limits>

using namespace lapidary;

namespace {

Tensor ofFloats(std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    auto made = makeTensor(DType::Float, {std::move(dims), false},
                           {reinterpret_cast<const char*>(values.data()), values.size() * 4});
    REQUIRE(made.ok());
    return *std::move(made);
}

std::vector<DetectedBox> found(const DetectionTensors& tensors, const DetectionChoice& choice)
{
    const auto boxes = detectionsOf(tensors, choice, Job());
    INFO((boxes ? std::string() : boxes.error().message));
    REQUIRE(boxes.ok());
    return *boxes;
}

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

TEST_CASE("what does not fit boxes is refused, and what is not finite left out",
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
