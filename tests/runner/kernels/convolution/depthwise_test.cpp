// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <string_view>

namespace lapidary {
namespace {

Value noise(const Dims& dims, std::uint32_t seed)
{
    Value value = emptyValue(DType::Float, dims);
    for (float& element : value.mutableAs<float>()) {
        seed = seed * 1664525U + 1013904223U;
        element = float(seed >> 9) / float(1U << 22) - 1;
    }
    return value;
}

struct Sizes {
    Dims input;  // N, H, W, C
    Dims filter; // h, w, C, multiplier
    std::int64_t stride = 1;
    std::array<std::int64_t, 2> before{}; // of rows and columns
    std::array<std::int64_t, 2> output{};
};

// Positions the windows as TensorFlow does.
Sizes placed(Sizes s, bool isSame)
{
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::int64_t size = s.input[1 + axis];
        const std::int64_t kernel = s.filter[axis];
        s.output[axis] = isSame ? (size + s.stride - 1) / s.stride : (size - kernel) / s.stride + 1;
        const std::int64_t lacks = (s.output[axis] - 1) * s.stride + kernel - size;
        s.before[axis] = isSame ? std::max<std::int64_t>(lacks, 0) / 2 : 0;
    }
    return s;
}

// Sums one output as TensorFlow does: row by row of the filter, rounding each product first.
float summed(const Sizes& s, const Value& x, const Value& filter, std::int64_t allRows,
             std::int64_t column, std::int64_t channel)
{
    const std::int64_t image = allRows / s.output[0];
    const std::int64_t row = allRows % s.output[0];
    volatile float sum = 0; // so that the compiler does not fuse the operations
    for (std::int64_t i = 0; i < s.filter[0]; ++i)
        for (std::int64_t j = 0; j < s.filter[1]; ++j) {
            const std::int64_t r = row * s.stride + i - s.before[0];
            const std::int64_t c = column * s.stride + j - s.before[1];
            if (r < 0 || c < 0 || r >= s.input[1] || c >= s.input[2])
                continue;
            const std::int64_t pixel = (image * s.input[1] + r) * s.input[2] + c;
            const std::int64_t from = pixel * s.input[3] + channel / s.filter[3];
            const std::int64_t tap = (i * s.filter[1] + j) * s.filter[2] * s.filter[3] + channel;
            volatile const float product =
                x.as<float>()[std::size_t(from)] * filter.as<float>()[std::size_t(tap)];
            sum = sum + product;
        }
    return sum;
}

void compare(const Sizes& sizes, const char* padding)
{
    const Sizes s = placed(sizes, std::string_view(padding) == "SAME");
    const Value x = noise(s.input, 3);
    const Value filter = noise(s.filter, 4);
    const auto y = runOne("DepthwiseConv2dNative", {x, filter},
                          {{"strides", attr::fromInts({1, s.stride, s.stride, 1})},
                           {"padding", attr::fromString(padding)}});
    INFO((y ? "" : y.error().message));
    REQUIRE(y.ok());
    const std::int64_t channels = s.filter[2] * s.filter[3];
    REQUIRE(y->dims() == Dims{s.input[0], s.output[0], s.output[1], channels});
    std::size_t different = 0;
    for (std::int64_t at = 0; at < y->elements(); ++at) {
        const std::int64_t pixel = at / channels;
        const float expected =
            summed(s, x, filter, pixel / s.output[1], pixel % s.output[1], at % channels);
        different += std::bit_cast<std::uint32_t>(y->as<float>()[std::size_t(at)]) ==
                             std::bit_cast<std::uint32_t>(expected)
                         ? 0
                         : 1;
    }
    CHECK(different == 0);
}

TEST_CASE("depthwise convolutions are summed in TensorFlow's order, bit for bit",
          "[kernels][convolution][depthwise]")
{
    for (const std::int64_t channels : {2, 7, 16, 35}) {
        INFO(channels << " channels");
        compare({{1, 9, 9, channels}, {3, 3, channels, 1}, 1}, "SAME");
        compare({{1, 9, 9, channels}, {3, 3, channels, 1}, 2}, "SAME");
        compare({{1, 9, 9, channels}, {5, 5, channels, 1}, 1}, "VALID");
        compare({{1, 6, 6, channels}, {3, 3, channels, 3}, 1}, "SAME");
    }
}

TEST_CASE("depthwise convolutions of sizes by chance are summed in that order, too",
          "[kernels][convolution][depthwise]")
{
    std::mt19937 random(27);
    const auto upTo = [&](std::int64_t most) {
        return std::int64_t(random() % std::uint32_t(most)) + 1;
    };
    for (int i = 0; i < 60; ++i) {
        const Dims filter{upTo(5), upTo(5), upTo(70) + 1, i % 7 == 0 ? 2 : 1};
        const Dims input{upTo(2), filter[0] + upTo(14) - 1, filter[1] + upTo(30) - 1, filter[2]};
        const std::int64_t stride = upTo(3);
        CAPTURE(input, filter, stride);
        compare({input, filter, stride}, "SAME");
        compare({input, filter, stride}, "VALID");
    }
    // Windows that reach over both edges, and some that are completely outside of the picture.
    compare({{1, 1, 2, 17}, {5, 5, 17, 1}, 1}, "SAME");
    compare({{1, 2, 3, 33}, {2, 1, 33, 1}, 3}, "SAME");
}

} // namespace
} // namespace lapidary
