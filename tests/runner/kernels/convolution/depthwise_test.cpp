// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <bit>

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
    std::int64_t before = 0; // of rows and columns
    std::int64_t output = 0;
};

// One output as TensorFlow sums it: row by row of the filter, each product rounded first.
float summed(const Sizes& s, const Value& x, const Value& filter, std::int64_t row,
             std::int64_t column, std::int64_t channel)
{
    volatile float sum = 0; // so that nothing is contracted
    for (std::int64_t i = 0; i < s.filter[0]; ++i)
        for (std::int64_t j = 0; j < s.filter[1]; ++j) {
            const std::int64_t r = row * s.stride + i - s.before;
            const std::int64_t c = column * s.stride + j - s.before;
            if (r < 0 || c < 0 || r >= s.input[1] || c >= s.input[2])
                continue;
            const std::int64_t from = (r * s.input[2] + c) * s.input[3] + channel / s.filter[3];
            const std::int64_t tap = (i * s.filter[1] + j) * s.filter[2] * s.filter[3] + channel;
            volatile const float product =
                x.as<float>()[std::size_t(from)] * filter.as<float>()[std::size_t(tap)];
            sum = sum + product;
        }
    return sum;
}

void compare(const Sizes& s, const char* padding)
{
    const Value x = noise(s.input, 3);
    const Value filter = noise(s.filter, 4);
    const auto y = runOne("DepthwiseConv2dNative", {x, filter},
                          {{"strides", attr::fromInts({1, s.stride, s.stride, 1})},
                           {"padding", attr::fromString(padding)}});
    INFO((y ? "" : y.error().message));
    REQUIRE(y.ok());
    const std::int64_t channels = s.filter[2] * s.filter[3];
    REQUIRE(y->dims() == Dims{1, s.output, s.output, channels});
    std::size_t different = 0;
    for (std::int64_t at = 0; at < y->elements(); ++at) {
        const float expected =
            summed(s, x, filter, at / channels / s.output, at / channels % s.output, at % channels);
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
        compare({{1, 9, 9, channels}, {3, 3, channels, 1}, 1, 1, 9}, "SAME");
        compare({{1, 9, 9, channels}, {3, 3, channels, 1}, 2, 1, 5}, "SAME");
        compare({{1, 9, 9, channels}, {5, 5, channels, 1}, 1, 0, 5}, "VALID");
        compare({{1, 6, 6, channels}, {3, 3, channels, 3}, 1, 1, 6}, "SAME");
    }
}

} // namespace
} // namespace lapidary
