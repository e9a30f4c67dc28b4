// SPDX-License-Identifier: Apache-2.0
// Activations, pooling, reshaping, concatenation, resizing and normalization of quantized values.
#include "tests/catch.h"
#include "tests/runner/kernels/quantized/coded.h"

#include <cmath>

namespace lapidary {
namespace {

TEST_CASE("codes are held between those of 0 and of the ceiling", "[quantized]")
{
    const Value x = coded(DType::QUInt8, {8}, {28, 127, 128, 129, 131, 134, 135, 228});
    const auto relu = runCoded("QuantizedRelu", withEnds({x}, {-128, 127}));
    CHECK(relu.codes == Codes{128, 128, 128, 129, 131, 134, 135, 228});
    CHECK(relu.min == -128);
    CHECK(relu.max == 127);
    CHECK(runCoded("QuantizedRelu6", withEnds({x}, {-128, 127})).codes ==
          Codes{128, 128, 128, 129, 131, 134, 134, 134});
    CHECK(runCoded("QuantizedReluX", withEnds({x}, {3, -128, 127})).codes ==
          Codes{128, 128, 128, 129, 131, 131, 131, 131});
    const auto wide =
        runCoded("QuantizedRelu", withEnds({coded(DType::QInt32, {3}, {-5, 0, 5})}, {-1, 1}),
                 {{"out_type", attr::fromType(DType::QInt32)}});
    CHECK(wide.codes == Codes{0, 0, 5});
    CHECK(runCoded("QuantizedRelu", withEnds({emptyValue(DType::QUInt8, {0})}, {-1, 1})).dims ==
          Dims{0});
}

NodeAttrs window(std::int64_t size, std::int64_t stride, const char* padding)
{
    return {{"ksize", attr::fromInts({1, size, size, 1})},
            {"strides", attr::fromInts({1, stride, stride, 1})},
            {"padding", attr::fromString(padding)}};
}

TEST_CASE("pooling of codes keeps the range", "[quantized]")
{
    const auto x = withEnds({codedRamp({1, 4, 4, 2}, 1)}, {-3, 255});
    const auto mean = runCoded("QuantizedAvgPool", x, window(2, 2, "SAME"));
    CHECK(mean.codes == Codes{6, 7, 10, 11, 22, 23, 26, 27});
    CHECK(mean.min == -3);
    CHECK(mean.max == 255);
    CHECK(runCoded("QuantizedMaxPool", x, window(2, 2, "SAME")).codes ==
          Codes{11, 12, 15, 16, 27, 28, 31, 32});
    // Means are truncated, and elements outside the picture do not count.
    const auto odd =
        withEnds({coded(DType::QUInt8, {1, 3, 3, 1}, {1, 2, 2, 255, 0, 0, 7, 7, 255})}, {0, 1});
    CHECK(runCoded("QuantizedAvgPool", odd, window(2, 2, "SAME")).codes == Codes{64, 1, 7, 255});
    CHECK(runCoded("QuantizedMaxPool", odd, window(2, 2, "SAME")).codes == Codes{255, 2, 7, 255});
}

TEST_CASE("codes are reshaped with their range", "[quantized]")
{
    const auto y =
        runCoded("QuantizedReshape", {codedRamp({10, 20}), valueOf<std::int32_t>({3}, {5, -1, 4}),
                                      scalarOf(-10.0F), scalarOf(20.0F)});
    CHECK(y.dims == Dims{5, 10, 4});
    CHECK(y.codes == codesOf(codedRamp({200})));
    CHECK(y.min == -10);
    CHECK(y.max == 20);
}

std::vector<Value> joined(std::int32_t axis, const std::vector<Value>& values,
                          const std::vector<float>& minsThenMaxes)
{
    std::vector<Value> inputs{scalarOf(axis)};
    inputs.insert(inputs.end(), values.begin(), values.end());
    return withEnds(std::move(inputs), minsThenMaxes);
}

TEST_CASE("tensors of codes are joined in a range that holds all of theirs", "[quantized]")
{
    const NodeAttrs two{{"N", attr::fromInt(2)}};
    const Value a = codedRamp({2, 3}, 1);
    const Value b = codedRamp({2, 3}, 101);
    const auto same = runCoded("QuantizedConcat", joined(1, {a, b}, {-1, -1, 1, 1}), two);
    CHECK(same.dims == Dims{2, 6});
    CHECK(same.codes == Codes{1, 2, 3, 101, 102, 103, 4, 5, 6, 104, 105, 106});
    CHECK(same.min == -1);
    CHECK(same.max == 1);
    // Half the range has half as many codes.
    const auto moved = runCoded("QuantizedConcat", joined(0, {a, b}, {0, 0, 510, 255}), two);
    CHECK(moved.codes == Codes{1, 2, 3, 4, 5, 6, 51, 51, 52, 52, 53, 53});
    CHECK(moved.max == 510);
    const Value wide = coded(DType::QInt32, {1}, {1 << 20});
    const auto sums = runCoded("QuantizedConcat", joined(0, {wide, wide}, {-2, -4, 2, 1}), two);
    CHECK(sums.min == -4);
    CHECK(sums.max == 4);
    REQUIRE(sums.codes.size() == 2);
    CHECK(sums.codes[0] == Approx(1 << 19).margin(256));
    const Value none = emptyValue(DType::QUInt8, {0, 3});
    CHECK(runCoded("QuantizedConcat", joined(0, {none, none}, {0, 0, 1, 1}), two).dims ==
          Dims{0, 3});
}

CodedResult resized(const Value& images, std::int32_t height, std::int32_t width,
                    const NodeAttrs& attrs = {})
{
    return runCoded(
        "QuantizedResizeBilinear",
        {images, valueOf<std::int32_t>({2}, {height, width}), scalarOf(0.0F), scalarOf(255.0F)},
        attrs);
}

TEST_CASE("pictures of codes are resized with rounding", "[quantized]")
{
    const Value line = coded(DType::QUInt8, {1, 1, 4, 1}, {0, 10, 21, 255});
    CHECK(resized(line, 1, 8).codes == Codes{0, 5, 10, 16, 21, 138, 255, 255});
    CHECK(resized(line, 2, 4).codes == Codes{0, 10, 21, 255, 0, 10, 21, 255});
    CHECK(resized(line, 1, 4).codes == Codes{0, 10, 21, 255});
    CHECK(resized(line, 1, 7, {{"align_corners", attr::fromBool(true)}}).codes ==
          Codes{0, 5, 10, 16, 21, 138, 255});
    CHECK(resized(codedRamp({2, 13, 15, 3}), 1, 1).dims == Dims{2, 1, 1, 3});
    Codes ramp;
    for (std::int64_t i = 0; i < 128; ++i)
        ramp.push_back(i << 20);
    const auto wide = resized(coded(DType::QInt32, {1, 1, 128, 1}, ramp), 1, 256);
    REQUIRE(wide.codes.size() == 256);
    for (std::size_t i = 0; i < 255; ++i)
        CHECK(wide.codes[i] == std::int64_t(i) << 19);
    CHECK(wide.codes[255] == ramp[127]);
}

// Each channel of each picture, minus its mean and divided by its deviation.
std::vector<double> normalized(const Value& x, double scale, double epsilon)
{
    const Codes codes = codesOf(x);
    const auto channels = std::size_t(x.dim(3));
    const auto pixels = std::size_t(x.dim(1) * x.dim(2));
    std::vector<double> out(codes.size());
    for (std::size_t begin = 0; begin < codes.size(); begin += pixels * channels)
        for (std::size_t c = 0; c < channels; ++c) {
            double mean = 0;
            double variance = 0;
            for (std::size_t p = 0; p < pixels; ++p)
                mean += scale * double(codes[begin + p * channels + c]) / double(pixels);
            for (std::size_t p = 0; p < pixels; ++p)
                variance += std::pow(scale * double(codes[begin + p * channels + c]) - mean, 2) /
                            double(pixels);
            for (std::size_t p = 0; p < pixels; ++p) {
                const std::size_t at = begin + p * channels + c;
                out[at] = (scale * double(codes[at]) - mean) / std::sqrt(variance + epsilon);
            }
        }
    return out;
}

TEST_CASE("each channel of a picture is normalized", "[quantized]")
{
    const Dims shapes[] = {{1, 4, 4, 32}, {2, 13, 15, 3}, {3, 1, 1, 2}, {1, 127, 1, 1}};
    for (const Dims& shape : shapes) {
        CAPTURE(shape);
        const Value x = codedRamp(shape, 17, 57);
        const auto y = runCoded("QuantizedInstanceNorm", withEnds({x}, {-1, 1}));
        REQUIRE(y.error.empty());
        const auto expected = normalized(x, 2.0 / 255.0, 1e-5);
        const double step = (double(y.max) - double(y.min)) / 255.0;
        for (std::size_t i = 0; i < expected.size(); ++i)
            CHECK(double(y.min) + double(y.codes[i]) * step == Approx(expected[i]).margin(step));
    }
    const auto flat = runCoded("QuantizedInstanceNorm",
                               withEnds({coded(DType::QUInt8, {1, 4, 4, 2}, {0})}, {2, 3}));
    CHECK(flat.min == 0);
    CHECK(flat.max == Approx(0.001));
    const auto given =
        runCoded("QuantizedInstanceNorm", withEnds({codedRamp({1, 5, 5, 1}, 0, 10)}, {0, 1}),
                 {{"output_range_given", attr::fromBool(true)},
                  {"given_y_min", attr::fromFloat(-1)},
                  {"given_y_max", attr::fromFloat(1)}});
    CHECK(given.min == -1);
    CHECK(given.codes.front() == 0);
    CHECK(given.codes.back() == 255);
}

TEST_CASE("values half way between two codes hang on the last bit of a float sum", "[quantized]")
{
    const Value x = coded(DType::QUInt8, {2, 3, 1, 5},
                          {255, 255, 0,   0, 0, 0,   0,   0, 255, 255, 255, 255, 0, 0, 255,
                           255, 0,   255, 0, 0, 255, 255, 0, 0,   0,   0,   0,   0, 0, 0});
    const auto y = runCoded("QuantizedInstanceNorm", withEnds({x}, {2, 3}),
                            {{"variance_epsilon", attr::fromFloat(0.1F)}});
    CHECK(y.min == -y.max);
    CHECK(y.codes[0] == 192);
}

TEST_CASE("batch normalization gives TensorFlow's codes", "[quantized]")
{
    const auto near = [](float x, float min, float max) {
        return std::llround((double(x) - double(min)) * 255.0 / (double(max) - double(min)));
    };
    Codes t;
    for (const float x : {1, 4, 2, 5, 3, 6, -1, -4, -2, -5, -3, -6})
        t.push_back(near(x, -128, 127));
    std::vector<Value> inputs = withEnds({coded(DType::QUInt8, {1, 1, 6, 2}, t)}, {-128, 127});
    const auto add = [&inputs](const Codes& codes, float min, float max) {
        inputs.push_back(coded(DType::QUInt8, {2}, codes));
        inputs.push_back(scalarOf(min));
        inputs.push_back(scalarOf(max));
    };
    add({near(10, 0, 20), near(20, 0, 20)}, 0, 20);
    add({near(0.25F, 0, 1), near(0.5F, 0, 1)}, 0, 1);
    add({near(0.1F, 0, 1), near(0.6F, 0, 1)}, 0, 1);
    add({0, 0}, 0, 1);
    const auto y = runCoded("QuantizedBatchNormWithGlobalNormalization", inputs,
                            {{"out_type", attr::fromType(DType::QInt32)},
                             {"variance_epsilon", attr::fromFloat(0.001F)},
                             {"scale_after_normalization", attr::fromBool(false)}});
    CHECK(y.error.empty());
    CHECK(y.codes == Codes{-36670, -44975, -32590, -42087, -28510, -39199, -44830, -68079, -48910,
                           -70967, -52990, -73855});
    CHECK(y.max == 1048576);
}

} // namespace
} // namespace lapidary
