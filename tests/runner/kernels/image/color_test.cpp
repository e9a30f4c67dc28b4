// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

namespace lapidary {
namespace {

void checkNear(const Value& ours, const std::vector<float>& expected)
{
    REQUIRE(std::size_t(ours.elements()) == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(ours.as<float>()[i] == Approx(expected[i]).margin(1e-6));
}

TEST_CASE("colors go to hue, saturation, value and back", "[color]")
{
    const Value rgb = valueOf<float>(
        {1, 5, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 0.5F, 0.25F, 0.25F, 0.25F, 1, 0.5F, 0.5F});
    const auto hsv = runOne("RGBToHSV", {rgb});
    REQUIRE(hsv.ok());
    checkNear(*hsv, {0, 1, 1, 1.0F / 3, 1, 1, 2.0F / 3, 1, 0.5F, 0, 0, 0.25F, 0, 0.5F, 1});
    checkNear(runOne("HSVToRGB", {*hsv}).value(), elementsOf<float>(rgb));
    CHECK_FALSE(runOne("RGBToHSV", {rampOf<float>({3, 2})}).ok());
    CHECK_FALSE(runOne("HSVToRGB", {scalarOf(1.0F)}).ok());
    CHECK(runOne("RGBToHSV", {rampOf<float>({0, 3})}).value().dims() == Dims{0, 3});
}

TEST_CASE("hue turns, saturation grows, contrast spreads about the mean", "[color]")
{
    const Value red = valueOf<float>({1, 1, 3}, {1, 0.5F, 0.5F});
    checkNear(runOne("AdjustHue", {red, scalarOf(1.0F / 3)}).value(), {0.5F, 1, 0.5F});
    checkNear(runOne("AdjustHue", {red, scalarOf(-2.0F)}).value(), {1, 0.5F, 0.5F});
    checkNear(runOne("AdjustSaturation", {red, scalarOf(2.0F)}).value(), {1, 0, 0});
    checkNear(runOne("AdjustSaturation", {red, scalarOf(0.0F)}).value(), {1, 1, 1});
    const Value two = valueOf<float>({1, 2, 2}, {1, 10, 3, 30});
    checkNear(runOne("AdjustContrastv2", {two, scalarOf(2.0F)}).value(), {0, 0, 4, 40});
    CHECK_FALSE(runOne("AdjustHue", {rampOf<float>({1, 3}), scalarOf(1.0F)}).ok());
    CHECK_FALSE(runOne("AdjustContrastv2", {red, valueOf<float>({1}, {2})}).ok());
    CHECK(runOne("AdjustContrastv2", {rampOf<float>({0, 2, 3}), scalarOf(1.0F)}).ok());
}

} // namespace
} // namespace lapidary
