// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/detector_attrs.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

using Indices = std::vector<std::int32_t>;
using Boxes = std::vector<float>;

// Three groups: 0, 1 and 2 overlap, 3 and 4 overlap, 5 is alone.
const Boxes sixBoxes{0, 0,  1, 1,  0, 0.1F,  1, 1.1F,  0, -0.1F, 1, 0.9F,
                     0, 10, 1, 11, 0, 10.1F, 1, 11.1F, 0, 100,   1, 101};
const Boxes sixScores{0.9F, 0.75F, 0.6F, 0.95F, 0.5F, 0.3F};

Result<Value> select(const Boxes& boxes, const Boxes& scores, std::int32_t count, float overlap,
                     float score = -1e30F)
{
    return runOne("NonMaxSuppressionV3",
                  {valueOf<float>({std::int64_t(boxes.size() / 4), 4}, boxes),
                   valueOf<float>({std::int64_t(scores.size())}, scores), scalarOf(count),
                   scalarOf(overlap), scalarOf(score)});
}

TEST_CASE("the best of each group is selected", "[suppression]")
{
    CHECK(elementsOf<std::int32_t>(select(sixBoxes, sixScores, 3, 0.5F).value()) ==
          Indices{3, 0, 5});
    CHECK(elementsOf<std::int32_t>(select(sixBoxes, sixScores, 30, 0.5F).value()) ==
          Indices{3, 0, 5});
    CHECK(elementsOf<std::int32_t>(select(sixBoxes, sixScores, 30, 0.5F, 0.4F).value()) ==
          Indices{3, 0});
    CHECK(elementsOf<std::int32_t>(select(sixBoxes, sixScores, 0, 0.5F).value()).empty());
    CHECK(elementsOf<std::int32_t>(select({}, {}, 3, 0.5F).value()).empty());
}

TEST_CASE("corners may be in any order, and a box comes once", "[suppression]")
{
    Boxes turned = sixBoxes;
    std::swap(turned[0], turned[2]);
    std::swap(turned[21], turned[23]);
    CHECK(elementsOf<std::int32_t>(select(turned, sixScores, 9, 0.5F).value()) == Indices{3, 0, 5});
    const Boxes flat{1, 1, 1, 1, 2, 2, 2, 5};
    CHECK(elementsOf<std::int32_t>(select(flat, {0.1F, 0.2F}, 9, 0.5F).value()) == Indices{1, 0});
    Boxes broken = sixBoxes;
    broken[0] = std::numeric_limits<float>::quiet_NaN();
    const auto y = select(broken, sixScores, 100, 0.5F);
    REQUIRE(y.ok());
    CHECK(y->elements() <= 6);
}

TEST_CASE("wrong thresholds and shapes are refused", "[suppression]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(select(sixBoxes, sixScores, 3, 1.5F).ok());
    CHECK_FALSE(select(sixBoxes, sixScores, 3, -0.5F).ok());
    CHECK_FALSE(select(sixBoxes, sixScores, 3, nan).ok());
    CHECK_FALSE(select(sixBoxes, {0.5F}, 3, 0.5F).ok());
    CHECK_FALSE(runOne("NonMaxSuppression",
                       {rampOf<float>({2, 3}), rampOf<float>({2}), scalarOf(std::int32_t(1))})
                    .ok());
}

TEST_CASE("with a sigma, overlapping boxes come later", "[suppression]")
{
    const auto y =
        runNode("NonMaxSuppressionV5",
                {valueOf<float>({6, 4}, sixBoxes), valueOf<float>({6}, sixScores),
                 scalarOf(std::int32_t(6)), scalarOf(1.0F), scalarOf(0.0F), scalarOf(0.5F)});
    REQUIRE(y.ok());
    const auto indices = elementsOf<std::int32_t>((*y)[0]);
    const auto scores = elementsOf<float>((*y)[1]);
    REQUIRE(indices.size() == 6);
    CHECK(indices == Indices{3, 0, 1, 5, 4, 2});
    CHECK(std::is_sorted(scores.rbegin(), scores.rend()));
    const double overlap = 0.9 / 1.1; // of the boxes 0 and 1
    const auto place = std::size_t(std::ranges::find(indices, 1) - indices.begin());
    CHECK(double(scores[place]) <= 0.75 * std::exp(-overlap * overlap) + 1e-6);
}

TEST_CASE("classes are selected apart and merged", "[suppression]")
{
    const Boxes scores{0.9F, 0.1F, 0.8F, 0.7F}; // two boxes, two classes
    const auto y = runNode("CombinedNonMaxSuppression",
                           {valueOf<float>({1, 2, 1, 4}, {0, 0, 1, 1, 0, 0, 1, 2}),
                            valueOf<float>({1, 2, 2}, scores), scalarOf(std::int32_t(5)),
                            scalarOf(std::int32_t(4)), scalarOf(0.4F), scalarOf(0.2F)});
    REQUIRE(y.ok());
    CHECK(elementsOf<float>((*y)[1]) == Boxes{0.9F, 0.7F, 0, 0});
    CHECK(elementsOf<float>((*y)[2]) == Boxes{0, 1, 0, 0});
    CHECK(elementsOf<std::int32_t>((*y)[3]) == Indices{2});
    CHECK((*y)[0].as<float>()[7] == 1.0F); // clipped
}

std::vector<std::int64_t> selectAsOnnx(const Boxes& boxes, const Boxes& scores, float overlap,
                                       bool isCentered = false)
{
    const auto count = std::int64_t(boxes.size() / 4);
    const NodeAttrs attrs{{"center_point_box", attr::fromBool(isCentered)}};
    const auto made =
        runOne("_Onnx_NonMaxSuppression",
               {valueOf<float>({1, count, 4}, boxes),
                valueOf<float>({1, std::int64_t(scores.size()) / count, count}, scores),
                valueOf<std::int64_t>({1}, {9}), valueOf<float>({1}, {overlap}), scalarOf(-1e30F)},
               attrs);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return elementsOf<std::int64_t>(*made);
}

TEST_CASE(
    "as ONNX selects, an overlap of just the threshold stays, and equal scores keep their order",
    "[suppression]")
{
    const Boxes boxes{0, 0, 1, 1, 0.5F, 0.5F, 1.5F, 1.5F, 0, 0, 1, 1};
    const float shared = 0.25F / 1.75F; // of the first two boxes
    CHECK(selectAsOnnx(boxes, {0.8F, 0.8F, 0.8F}, shared) ==
          std::vector<std::int64_t>{0, 0, 0, 0, 0, 1});
    CHECK(selectAsOnnx(boxes, {0.8F, 0.8F, 0.8F}, std::nextafter(shared, 0.0F)) ==
          std::vector<std::int64_t>{0, 0, 0});
    CHECK(selectAsOnnx(boxes, {0.1F, 0.2F, 0.3F, 0.3F, 0.2F, 0.1F}, 1) ==
          std::vector<std::int64_t>{0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 2});
    // Boxes given by centers and sizes are far apart; read as corners they would overlap.
    const Boxes centers{5, 5, 2, 2, 8, 8, 2, 2};
    CHECK(selectAsOnnx(centers, {0.5F, 0.4F}, 0, true).size() == 6);
}

TEST_CASE("a file that gives ONNX' suppression something else is refused", "[suppression]")
{
    const Value boxes = valueOf<float>({1, 1, 4}, {0, 0, 1, 1});
    const Value scores = valueOf<float>({1, 1, 1}, {1});
    const Value count = valueOf<std::int64_t>({1}, {9});
    const auto run = [](std::vector<Value> inputs) {
        return runOne("_Onnx_NonMaxSuppression", std::move(inputs)).ok();
    };
    CHECK(run({boxes, scores, count, scalarOf(0.5F), scalarOf(0.0F)}));
    CHECK_FALSE(run({boxes, scores, count, scalarOf(0.5F)}));
    CHECK_FALSE(run({boxes, scores, scalarOf(std::int32_t(9)), scalarOf(0.5F), scalarOf(0.0F)}));
    CHECK_FALSE(
        run({boxes, valueOf<float>({1, 1, 2}, {1, 1}), count, scalarOf(0.5F), scalarOf(0.0F)}));
    CHECK_FALSE(run({boxes, scores, count, scalarOf(1.5F), scalarOf(0.0F)}));
}

// Four boxes of two classes after the background: 0 and 1 are nearly the same.
Result<std::vector<Value>> detect(bool isByClass, std::int64_t classesOf = 1)
{
    NodeAttrs attrs = detectorAttrs<NodeAttrs>(classesOf);
    attrs.emplace_back("use_regular_nms", attr::fromBool(isByClass));
    return runNode("TFLite_Detection_PostProcess",
                   {valueOf<float>({1, 4, 4}, {0, 0, 0, 0, 0, 1, 0, 0, //
                                               0, 0, 0, 0, 0, 0, 5, 0}),
                    valueOf<float>({1, 4, 3}, {0, 0.9F, 0.2F, 0, 0.8F, 0.6F, //
                                               0, 0.3F, 0.7F, 0, 0.05F, 0.05F}),
                    valueOf<float>({4, 4}, {1, 1, 2, 2, 1, 1, 2, 2, 5, 5, 2, 2, 9, 9, 2, 2})},
                   attrs);
}

TEST_CASE("detections are decoded from their anchors and selected by box", "[suppression]")
{
    const auto made = detect(false);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    CHECK(elementsOf<float>((*made)[0]) == Boxes{0, 0, 2, 2, 4, 4, 6, 6, 0, 0, 0, 0});
    CHECK(elementsOf<float>((*made)[1]) == Boxes{0, 1, 0});
    CHECK(elementsOf<float>((*made)[2]) == Boxes{0.9F, 0.7F, 0});
    CHECK(elementsOf<float>((*made)[3]) == Boxes{2});
    const auto several = detect(false, 2);
    REQUIRE(several);
    CHECK(elementsOf<float>((*several)[1]) == Boxes{0, 1, 1, 0, 0, 0});
    CHECK(elementsOf<float>((*several)[2]) == Boxes{0.9F, 0.2F, 0.7F, 0.3F, 0, 0});
}

TEST_CASE("detections are selected class by class where that is asked for", "[suppression]")
{
    const auto made = detect(true);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    // The second box is dropped from the first class only.
    CHECK(elementsOf<float>((*made)[1]) == Boxes{0, 1, 1});
    CHECK(elementsOf<float>((*made)[2]) == Boxes{0.9F, 0.7F, 0.6F});
    CHECK(elementsOf<float>((*made)[3]) == Boxes{3});
}

} // namespace
} // namespace lapidary
