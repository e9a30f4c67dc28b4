// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <limits>

namespace lapidary {
namespace {

Result<Value> crop(const Value& image, const std::vector<float>& boxes, std::int32_t height,
                   std::int32_t width, const std::string& method = "bilinear",
                   std::int32_t owner = 0)
{
    const auto count = std::int64_t(boxes.size() / 4);
    return runOne(
        "CropAndResize",
        {image, valueOf<float>({count, 4}, boxes), valueOf<std::int32_t>({count}, {owner}),
         valueOf<std::int32_t>({2}, {height, width})},
        {{"method", attr::fromString(method)}, {"extrapolation_value", attr::fromFloat(-1)}});
}

TEST_CASE("CropAndResize cuts, flips and fills", "[crop_and_resize]")
{
    const Value image = rampOf<float>({1, 3, 3, 1});
    const auto values = [&](const std::vector<float>& box, std::int32_t height, std::int32_t width,
                            const std::string& method = "bilinear") {
        return elementsOf<float>(crop(image, box, height, width, method).value());
    };
    CHECK(values({0, 0, 1, 1}, 3, 3) == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(values({0, 0, 1, 1}, 2, 2) == std::vector<float>{0, 2, 6, 8});
    CHECK(values({0, 0, 1, 1}, 1, 1) == std::vector<float>{4});
    CHECK(values({1, 0, 0, 1}, 2, 2) == std::vector<float>{6, 8, 0, 2});
    CHECK(values({0, 0, 0.5F, 0.25F}, 2, 2) == std::vector<float>{0, 0.5F, 3, 3.5F});
    CHECK(values({-0.5F, 0, 0, 0.5F}, 2, 2) == std::vector<float>{-1, -1, 0, 1});
    CHECK(values({0, 0, 0.25F, 0.25F}, 2, 2, "nearest") == std::vector<float>{0, 1, 3, 4});
}

TEST_CASE("CropAndResize refuses wrong boxes", "[crop_and_resize]")
{
    const Value image = rampOf<float>({2, 3, 3, 1});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    CHECK(crop(image, {}, 2, 2).value().dims() == Dims{0, 2, 2, 1});
    CHECK(crop(image, {0, 0, 1, 1}, 2, 2, "bilinear", 1).value().as<float>()[0] == 9);
    CHECK_FALSE(crop(image, {0, 0, 1, 1}, 2, 2, "bilinear", 2).ok());
    CHECK_FALSE(crop(image, {0, 0, 1, 1}, 2, 2, "bilinear", -1).ok());
    CHECK_FALSE(crop(image, {0, nan, 1, 1}, 2, 2).ok());
    CHECK_FALSE(crop(image, {0, 0, inf, 1}, 2, 2).ok());
    CHECK_FALSE(crop(image, {0, 0, 1, 1}, 0, 2).ok());
    CHECK_FALSE(crop(image, {0, 0, 1, 1}, 2, 2, "cubic").ok());
    CHECK_FALSE(crop(rampOf<float>({3, 3, 1}), {0, 0, 1, 1}, 2, 2).ok());
    // Far outside: products overflow, and everything is extrapolated.
    const auto far = crop(image, {-3e38F, -3e38F, 3e38F, 3e38F}, 2, 2);
    REQUIRE(far.ok());
    CHECK(elementsOf<float>(*far) == std::vector<float>{-1, -1, -1, -1});
}

} // namespace
} // namespace lapidary
