// SPDX-License-Identifier: Apache-2.0
// The resizing ops against a plain reference that computes one pixel at a time in double.
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

struct Mode {
    bool alignCorners;
    bool halfPixelCenters;
};
constexpr Mode modes[] = {{false, false}, {true, false}, {false, true}};

Result<Value> resize(std::string_view op, const Value& images, std::int32_t height,
                     std::int32_t width, Mode mode = {})
{
    NodeAttrs attrs{{"align_corners", attr::fromBool(mode.alignCorners)}};
    if (op != "ResizeArea")
        attrs.emplace_back("half_pixel_centers", attr::fromBool(mode.halfPixelCenters));
    return runOne(op, {images, valueOf<std::int32_t>({2}, {height, width})}, attrs);
}

double sourceOf(std::int64_t i, std::int64_t in, std::int64_t out, Mode mode)
{
    const double scale =
        mode.alignCorners && out > 1 ? double(in - 1) / double(out - 1) : double(in) / double(out);
    return mode.halfPixelCenters ? (double(i) + 0.5) * scale - 0.5 : double(i) * scale;
}

double pixelOf(const Value& image, std::int64_t y, std::int64_t x, std::int64_t c)
{
    const auto inside = [](std::int64_t i, std::int64_t size) {
        return std::min(std::max<std::int64_t>(i, 0), size - 1);
    };
    const std::int64_t row = inside(y, image.dim(1));
    const std::int64_t column = inside(x, image.dim(2));
    return image.as<float>()[std::size_t((row * image.dim(2) + column) * image.dim(3) + c)];
}

double bilinearAt(const Value& image, double y, double x, std::int64_t c)
{
    const auto top = std::int64_t(std::floor(y));
    const auto left = std::int64_t(std::floor(x));
    const double down = y - std::floor(y);
    const double along = x - std::floor(x);
    return (pixelOf(image, top, left, c) * (1 - along) + pixelOf(image, top, left + 1, c) * along) *
               (1 - down) +
           (pixelOf(image, top + 1, left, c) * (1 - along) +
            pixelOf(image, top + 1, left + 1, c) * along) *
               down;
}

Value noisyImage(Dims dims)
{
    Value image = emptyValue(DType::Float, std::move(dims));
    std::uint32_t state = 1;
    for (float& x : image.mutableAs<float>()) {
        state = state * 1664525 + 1013904223;
        x = float(state >> 24);
    }
    return image;
}

TEST_CASE("ResizeBilinear agrees with the formula at odd sizes", "[resize]")
{
    for (const auto& [from, to] : {std::pair{13, 15}, {15, 13}, {127, 13}, {1, 15}, {13, 1}}) {
        for (const Mode mode : modes) {
            const Value image = noisyImage({1, from, from + 2, 3});
            const auto y = resize("ResizeBilinear", image, to, to + 4, mode);
            REQUIRE(y.ok());
            REQUIRE(y->dims() == Dims{1, to, to + 4, 3});
            double worst = 0;
            for (std::int64_t i = 0; i < y->elements(); ++i) {
                const std::int64_t column = i / 3 % (to + 4);
                const double expected =
                    bilinearAt(image, sourceOf(i / 3 / (to + 4), from, to, mode),
                               sourceOf(column, from + 2, to + 4, mode), i % 3);
                worst =
                    std::max(worst, std::abs(expected - double(y->as<float>()[std::size_t(i)])));
            }
            CHECK(worst < 2e-3);
        }
    }
}

TEST_CASE("ResizeBilinear keeps images apart and copies equal sizes", "[resize]")
{
    const Value images = noisyImage({2, 5, 4, 1});
    const auto same = resize("ResizeBilinear", images, 5, 4);
    REQUIRE(same.ok());
    CHECK(elementsOf<float>(*same) == elementsOf<float>(images));
    const auto halves = resize("ResizeBilinear", images, 10, 8);
    REQUIRE(halves.ok());
    CHECK(halves->as<float>()[80] == images.as<float>()[20]);
}

TEST_CASE("ResizeNearestNeighbor takes the pixel of each mode", "[resize]")
{
    const auto indices = [](std::int64_t from, std::int32_t to, Mode mode) {
        const auto y =
            resize("ResizeNearestNeighbor", rampOf<std::int16_t>({1, 1, from, 1}), 1, to, mode);
        return elementsOf<std::int16_t>(*y);
    };
    CHECK(indices(4, 2, modes[0]) == std::vector<std::int16_t>{0, 2});
    CHECK(indices(4, 2, modes[1]) == std::vector<std::int16_t>{0, 3});
    CHECK(indices(4, 2, modes[2]) == std::vector<std::int16_t>{1, 3});
    CHECK(indices(3, 5, modes[0]) == std::vector<std::int16_t>{0, 0, 1, 1, 2});
    CHECK(indices(3, 5, modes[1]) == std::vector<std::int16_t>{0, 1, 1, 2, 2});
}

TEST_CASE("ResizeArea is the mean of what a pixel covers", "[resize]")
{
    const auto y = resize("ResizeArea", rampOf<float>({1, 4, 4, 1}), 2, 2);
    REQUIRE(y.ok());
    CHECK(elementsOf<float>(*y) == std::vector<float>{2.5F, 4.5F, 10.5F, 12.5F});
    const auto parts = resize("ResizeArea", valueOf<float>({1, 1, 3, 1}, {0, 6, 12}), 1, 2);
    REQUIRE(parts.ok());
    CHECK(parts->as<float>()[0] == Approx(2));
    CHECK(parts->as<float>()[1] == Approx(10));
}

TEST_CASE("ResizeBicubic keeps a plane and the pixels that fall on pixels", "[resize]")
{
    const Value flat = valueOf<float>({1, 13, 15, 2}, {3.5F});
    for (const Mode mode : modes) {
        const auto y = resize("ResizeBicubic", flat, 29, 7, mode);
        REQUIRE(y.ok());
        for (const float x : y->as<float>())
            CHECK(x == Approx(3.5));
    }
    const Value image = noisyImage({1, 5, 5, 1});
    const auto doubled = resize("ResizeBicubic", image, 10, 10);
    REQUIRE(doubled.ok());
    CHECK(doubled->as<float>()[22] == Approx(image.as<float>()[6]));
}

TEST_CASE("resizing refuses what has no pixels or no rank of 4", "[resize]")
{
    for (const std::string_view op :
         {"ResizeBilinear", "ResizeNearestNeighbor", "ResizeBicubic", "ResizeArea"}) {
        const Value image = rampOf<float>({1, 3, 3, 1});
        CHECK_FALSE(resize(op, rampOf<float>({3, 3, 1}), 2, 2).ok());
        CHECK_FALSE(resize(op, image, 0, 2).ok());
        CHECK_FALSE(resize(op, image, -1, 2).ok());
        CHECK_FALSE(resize(op, rampOf<float>({1, 0, 3, 1}), 2, 2).ok());
        CHECK_FALSE(resize(op, rampOf<float>({1, 3, 3, 0}), 2, 2).ok());
        CHECK_FALSE(resize(op, image, 2147483647, 2147483647).ok());
        CHECK(resize(op, rampOf<float>({0, 3, 3, 1}), 512, 2).ok());
        CHECK_FALSE(resize(op, rampOf<float>({0, 3, 3, 1}), 2147483647, 2).ok()); // too wide
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const auto y = resize(op, valueOf<float>({1, 2, 2, 1}, {1, 2, 3, nan}), 2, 2);
        REQUIRE(y.ok());
        CHECK(std::isnan(y->as<float>()[3]));
    }
}

TEST_CASE("all real types resize to floats", "[resize]")
{
    const auto check = [](auto zero) {
        using T = decltype(zero);
        const auto y = resize("ResizeBilinear", rampOf<T>({1, 1, 3, 1}), 1, 6);
        REQUIRE(y.ok());
        CHECK(elementsOf<float>(*y) == std::vector<float>{0, 0.5F, 1, 1.5F, 2, 2});
    };
    check(0.0F);
    check(0.0);
    check(Half());
    check(std::uint8_t());
    check(std::int8_t());
    check(std::uint16_t());
    check(std::int64_t());
}

double dotProduct(const Value& a, const Value& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.as<float>().size(); ++i)
        sum += double(a.as<float>()[i]) * double(b.as<float>()[i]);
    return sum;
}

// The gradient is the transposed map: <resize(x), g> is <x, gradient(g)>.
TEST_CASE("the gradient of bicubic resizing is its transposed map", "[resize]")
{
    for (const Mode mode : modes)
        for (const std::int32_t size : {1, 2, 3, 5, 9}) {
            INFO(mode.alignCorners << mode.halfPixelCenters << size);
            const Value x = rampOf<float>({2, 3, 4, 2}, -1, 0.37);
            const auto y = resize("ResizeBicubic", x, size, 5, mode);
            REQUIRE(y.ok());
            const Value g = rampOf<float>(y->dims(), 2, -0.11);
            const auto back =
                runOne("ResizeBicubicGrad", {g, x},
                       {{"align_corners", attr::fromBool(mode.alignCorners)},
                        {"half_pixel_centers", attr::fromBool(mode.halfPixelCenters)}});
            REQUIRE(back.ok());
            CHECK(back->dims() == x.dims());
            CHECK(dotProduct(*y, g) == Approx(dotProduct(x, *back)).epsilon(1e-4));
        }
    const Value picture = rampOf<float>({1, 2, 2, 1});
    CHECK_FALSE(runOne("ResizeBicubicGrad", {rampOf<float>({2, 2, 1}), picture}).ok());
    CHECK_FALSE(runOne("ResizeBicubicGrad", {rampOf<float>({1, 0, 2, 1}), picture}).ok());
}

} // namespace
} // namespace lapidary
