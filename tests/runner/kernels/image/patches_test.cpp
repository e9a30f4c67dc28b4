// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

namespace lapidary {
namespace {

using Floats = std::vector<float>;

Result<Value> patches(const Value& image, std::int64_t size, std::int64_t stride, std::int64_t rate,
                      const std::string& padding)
{
    return runOne("ExtractImagePatches", {image},
                  {{"ksizes", attr::fromInts({1, size, size, 1})},
                   {"strides", attr::fromInts({1, stride, stride, 1})},
                   {"rates", attr::fromInts({1, rate, rate, 1})},
                   {"padding", attr::fromString(padding)}});
}

TEST_CASE("patches are the windows' pixels in a row", "[patches]")
{
    const Value image = rampOf<float>({1, 3, 3, 1});
    const auto y = patches(image, 2, 1, 1, "VALID");
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{1, 2, 2, 4});
    CHECK(elementsOf<float>(*y) == Floats{0, 1, 3, 4, 1, 2, 4, 5, 3, 4, 6, 7, 4, 5, 7, 8});
    CHECK(elementsOf<float>(patches(image, 2, 1, 2, "VALID").value()) == Floats{0, 2, 6, 8});
    CHECK(elementsOf<float>(patches(image, 3, 2, 1, "SAME").value()) ==
          Floats{0, 0, 0, 0, 0, 1, 0, 3, 4, 0, 0, 0, 1, 2, 0, 4, 5, 0,
                 0, 3, 4, 0, 6, 7, 0, 0, 0, 4, 5, 0, 7, 8, 0, 0, 0, 0});
    CHECK(patches(image, 4, 1, 1, "VALID").value().dims() == Dims{1, 0, 0, 16});
    CHECK_FALSE(patches(image, 5, 1, 1, "VALID").ok());
    CHECK_FALSE(patches(image, 2, 0, 1, "VALID").ok());
    CHECK_FALSE(patches(image, -1, 1, 1, "SAME").ok());
    CHECK_FALSE(patches(rampOf<float>({3, 3, 1}), 2, 1, 1, "SAME").ok());
    CHECK_FALSE(patches(image, 1 << 30, 1, 1, "SAME").ok());
}

TEST_CASE("ScaleAndTranslate moves, scales and leaves the rest black", "[patches]")
{
    const auto run = [](float scale, float shift, const std::string& kernel) {
        return runOne("ScaleAndTranslate",
                      {valueOf<float>({1, 1, 4, 1}, {1, 2, 3, 4}),
                       valueOf<std::int32_t>({2}, {1, 4}), valueOf<float>({2}, {1, scale}),
                       valueOf<float>({2}, {0, shift})},
                      {{"kernel_type", attr::fromString(kernel)}});
    };
    CHECK(elementsOf<float>(run(1, 0, "triangle").value()) == Floats{1, 2, 3, 4});
    CHECK(elementsOf<float>(run(1, 2, "triangle").value()) == Floats{0, 0, 1, 2});
    CHECK(run(2, 0, "triangle").value().as<float>()[1] == Approx(1.25));
    CHECK_FALSE(run(0, 0, "triangle").ok());
    CHECK_FALSE(run(1, 0, "nothing").ok());
    CHECK(run(1e-30F, 0, "lanczos3").ok());
}

TEST_CASE("DrawBoundingBoxes outlines what is inside", "[patches]")
{
    const auto y = runOne("DrawBoundingBoxes", {valueOf<float>({1, 4, 4, 1}, {0}),
                                                valueOf<float>({1, 1, 4}, {0, 0, 0.7F, 5})});
    REQUIRE(y.ok());
    CHECK(elementsOf<float>(*y) == Floats{1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0});
    CHECK_FALSE(runOne("DrawBoundingBoxes",
                       {valueOf<float>({1, 4, 4, 2}, {0}), valueOf<float>({1, 1, 4}, {0})})
                    .ok());
}

} // namespace
} // namespace lapidary
