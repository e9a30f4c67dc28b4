// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/detections.h"
#include "graph_model/tensor/packed_boxes.h"
#include "tests/catch.h"
#include "tests/graph_model/tensor/float_tensor.h"

#include <array>
#include <utility>
#include <vector>

using namespace lapidary;
using lapidary::testing::ofFloats;

namespace {

// A head for every cell of a grid of 16 by 16: center, size, then `rest`; one cell holds
// `found`.
constexpr std::int64_t side = 16;
constexpr std::int64_t place = 3 * side + 5;

Tensor head(const std::vector<float>& rest, const std::vector<float>& found, bool areRows = true)
{
    const std::int64_t count = 4 + std::int64_t(rest.size());
    std::vector<std::vector<float>> boxes;
    for (std::int64_t i = 0; i < side * side; ++i) {
        const std::int64_t row = i / side;
        const float x = (float(i % side) + 0.5F) / side;
        const float y = (float(row) + 0.5F) / side;
        std::vector<float>& box = boxes.emplace_back(std::vector<float>{x, y, 0.25F, 0.125F});
        const std::vector<float>& numbers = i == place ? found : rest;
        box.insert(box.end(), numbers.begin(), numbers.end());
    }
    std::vector<float> values;
    for (std::int64_t a = 0; a < (areRows ? side * side : count); ++a)
        for (std::int64_t b = 0; b < (areRows ? count : side * side); ++b)
            values.push_back(areRows ? boxes[std::size_t(a)][std::size_t(b)]
                                     : boxes[std::size_t(b)][std::size_t(a)]);
    return areRows ? ofFloats({1, side * side, count}, values)
                   : ofFloats({1, count, side * side}, values);
}

Detections detected(const Tensor& tensor, const DetectionChoice& choice = {})
{
    auto found = detectionsOf({.boxes = tensor}, choice, Job());
    INFO((found ? std::string() : found.error().message));
    REQUIRE(found.ok());
    return *std::move(found);
}

} // namespace

TEST_CASE("the scores of a head with objects are those of a class times that of an object",
          "[tensor][detections]")
{
    // Elsewhere some class is likely, but nothing is there.
    const Detections found = detected(head({0.001F, 0.5F, 0.25F}, {0.75F, 0.25F, 1}));
    CHECK(found.arePacked);
    CHECK(found.hasObjectness);
    CHECK(found.order == BoxOrder::CenterAndSize);
    CHECK(found.all == side * side);
    REQUIRE(found.boxes.size() == 1);
    CHECK(found.boxes[0].index == place);
    CHECK(found.boxes[0].score == Approx(0.75));
    CHECK(found.boxes[0].ofClass == 1);
    CHECK(found.boxes[0].left == Approx(5.5 / side - 0.125));
    CHECK(found.boxes[0].bottom == Approx(3.5 / side + 0.0625));
}

TEST_CASE("a head without a score of objects is told by its classes", "[tensor][detections]")
{
    const std::vector<float> nothing{0.001F, 0.002F, 0.0005F};
    for (const bool areRows : {true, false}) {
        const Detections found = detected(head(nothing, {0.125F, 0.0625F, 0.875F}, areRows));
        CHECK_FALSE(found.hasObjectness);
        REQUIRE(found.boxes.size() == 1);
        CHECK(found.boxes[0].index == place);
        CHECK(found.boxes[0].score == Approx(0.875));
        CHECK(found.boxes[0].ofClass == 2);
    }
    const Detections other =
        detected(head(nothing, {0.125F, 0.0625F, 0.875F}), {.hasObjectness = true});
    CHECK(other.hasObjectness);
    CHECK(other.boxes.empty()); // 0.125 x 0.875
}

TEST_CASE("logits next to coordinates go through a sigmoid", "[tensor][detections]")
{
    const Detections found = detected(head({-7, -6, -8}, {-3, 2, -2}));
    REQUIRE(found.boxes.size() == 1);
    CHECK(found.boxes[0].score == Approx(0.8808).epsilon(0.001));
    CHECK(found.boxes[0].ofClass == 1);
}

TEST_CASE("boxes that a detector has chosen have corners, a score and a class",
          "[tensor][detections]")
{
    std::vector<float> rows;
    const std::array<float, 8> scores{0.9F, 0.8F, 0.6F, 0.3F, 0.2F, 0.1F, 0, 0};
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const float at = float(i) * 2;
        rows.insert(rows.end(), {at, at + 5, at + 40, at + 60, scores[i], float(i % 3)});
    }
    const Tensor tensor = ofFloats({1, 8, 6}, rows);
    CHECK(areChosenBoxes(tensor));
    auto found =
        detectionsOf({.boxes = tensor, .pictureWidth = 200, .pictureHeight = 100}, {}, Job());
    REQUIRE(found.ok());
    CHECK(found->order == BoxOrder::LeftTopRightBottom);
    REQUIRE(found->boxes.size() == 3);
    CHECK(found->boxes[1].ofClass == 1);
    CHECK(found->boxes[1].score == Approx(0.8));
    CHECK(found->boxes[0].right == Approx(0.2));
    CHECK(found->boxes[0].bottom == Approx(0.6));
    rows[4] = 0.1F; // not the best first
    CHECK_FALSE(areChosenBoxes(ofFloats({1, 8, 6}, rows)));
}

TEST_CASE("heads have as many boxes as several grids over the picture", "[tensor][detections]")
{
    CHECK(isGridOf(8400, {640, 640}));  // strides 8, 16, 32
    CHECK(isGridOf(25200, {640, 640})); // three boxes in each cell
    CHECK(isGridOf(6300, {320, 320}));
    CHECK(isGridOf(2535, {416, 416})); // strides 16 and 32, three at each
    CHECK(isGridOf(10080, {640, 768}));
    CHECK_FALSE(isGridOf(8400, {416, 416}));
    CHECK_FALSE(isGridOf(6400, {640, 640})); // one grid is any layer's
    CHECK_FALSE(isGridOf(300, {640, 640}));
    CHECK_FALSE(isGridOf(8400, {0, 0}));
    CHECK(packedShape({{1, 84, 8400}, false}) == PackedShape{8400, 84, false});
    CHECK(packedShape({{1, 25200, 85}, false}) == PackedShape{25200, 85, true});
    CHECK_FALSE(packedShape({{1, 100, 4}, false}).has_value());
    CHECK_FALSE(packedShape({{8400, 84}, false}).has_value());
    CHECK_FALSE(packedShape({{1, -1, 85}, false}).has_value());
    CHECK_FALSE(packedShape({{1, 0, 0}, false}).has_value());
}
