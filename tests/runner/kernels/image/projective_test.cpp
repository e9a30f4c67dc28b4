// SPDX-License-Identifier: Apache-2.0
// The numbers are what TensorFlow 2.18 gives.
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <limits>

namespace lapidary {
namespace {

using Pixels = std::vector<float>;

Result<Value> transformed(const Value& image, const Pixels& by, const char* interpolation,
                          const char* mode, std::int32_t height = 1, std::int32_t width = 5)
{
    return runOne("ImageProjectiveTransformV3",
                  {image, valueOf<float>({1, std::int64_t(by.size())}, by),
                   valueOf<std::int32_t>({2}, {height, width}), scalarOf(-1.5F)},
                  {{"interpolation", attr::fromString(interpolation)},
                   {"fill_mode", attr::fromString(mode)}});
}

Pixels pixels(const Result<Value>& made)
{
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return elementsOf<float>(*made);
}

const Value picture = rampOf<float>({1, 3, 4, 1});
const Pixels moved{1, 0, -5.25F, 0, 1, -4.5F, 0, 0};
const Pixels moreMoved{1, 0, -0.5F, 0, 1, -4, 0, 0};

} // namespace

TEST_CASE("pixels beyond the border are what the mode says", "[kernels][image]")
{
    CHECK(pixels(transformed(picture, moved, "NEAREST", "CONSTANT")) == Pixels(5, -1.5F));
    CHECK(pixels(transformed(picture, moreMoved, "NEAREST", "NEAREST")) == Pixels{0, 1, 2, 3, 3});
    CHECK(pixels(transformed(picture, moved, "NEAREST", "REFLECT")) == Pixels{11, 11, 10, 9, 8});
    CHECK(pixels(transformed(picture, moved, "NEAREST", "WRAP")) == Pixels{11, 11, 11, 10, 11});
    CHECK(pixels(transformed(picture, moreMoved, "NEAREST", "WRAP")) == Pixels{11, 9, 10, 11, 8});
    CHECK(pixels(transformed(picture, moreMoved, "BILINEAR", "NEAREST")) ==
          Pixels{0, 0.5F, 1.5F, 2.5F, 3});
    CHECK(pixels(transformed(picture, moved, "BILINEAR", "REFLECT")) ==
          Pixels{8.75F, 9, 8.25F, 7.25F, 6.25F});
    CHECK(pixels(transformed(picture, moved, "BILINEAR", "WRAP")) ==
          Pixels{10.75F, 11, 11, 9.75F, 10.75F});
}

TEST_CASE("a projection divides by the distance of each pixel", "[kernels][image]")
{
    const Pixels tilted{1.5F, 0.25F, -9, 0.5F, -1, 6.25F, 0.125F, -0.0625F};
    const Pixels made = pixels(transformed(picture, tilted, "BILINEAR", "REFLECT", 2));
    const Pixels wanted{1,          1.3333335F, 3, 2.2727273F, 1,
                        0.3333330F, 1.1764708F, 3, 2.2380953F, 0.9130434F};
    REQUIRE(made.size() == wanted.size());
    for (std::size_t i = 0; i < made.size(); ++i)
        CHECK(made[i] == Approx(wanted[i]).margin(1e-5));
    CHECK(pixels(transformed(picture, {1, 0, 0, 0, 1, 0, -1, 0}, "NEAREST", "NEAREST", 1, 2))[1] ==
          -1.5F); // divided by zero
}

TEST_CASE("integers are interpolated, and fade into zeros", "[kernels][image]")
{
    Value bytes = emptyValue(DType::UInt8, {1, 3, 4, 1});
    for (std::size_t i = 0; i < 12; ++i)
        bytes.mutableAs<std::uint8_t>()[i] = std::uint8_t(20 * i);
    const auto made = runOne("ImageProjectiveTransformV2",
                             {bytes, valueOf<float>({1, 8}, {1, 0, 0.5F, 0, 1, 0.25F, 0, 0}),
                              valueOf<std::int32_t>({2}, {3, 4})},
                             {{"interpolation", attr::fromString("BILINEAR")}});
    REQUIRE(made);
    CHECK(elementsOf<std::uint8_t>(*made) ==
          std::vector<std::uint8_t>{30, 50, 70, 40, 110, 130, 150, 80, 127, 142, 157, 82});
}

TEST_CASE("numbers that are none, and shapes that do not fit, end well", "[kernels][image]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float much = std::numeric_limits<float>::max();
    for (const char* mode : {"CONSTANT", "NEAREST", "REFLECT", "WRAP"})
        for (const char* interpolation : {"NEAREST", "BILINEAR"})
            for (const float odd : {nan, much, -much, 1e10F})
                CHECK(transformed(picture, {odd, odd, odd, odd, odd, odd, 0, 0}, interpolation,
                                  mode));
    CHECK_FALSE(transformed(picture, moved, "CUBIC", "WRAP"));
    CHECK_FALSE(transformed(picture, moved, "NEAREST", "MIRROR"));
    CHECK_FALSE(transformed(picture, {1, 2}, "NEAREST", "WRAP"));
    CHECK_FALSE(transformed(picture, moved, "NEAREST", "WRAP", 0));
}

} // namespace lapidary
