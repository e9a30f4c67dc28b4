// SPDX-License-Identifier: Apache-2.0
// QuantizedAdd, QuantizedMul and QuantizedBiasAdd: known codes, and results close to those of
// floats.
#include "tests/catch.h"
#include "tests/runner/kernels/quantized/coded.h"

#include <cmath>

namespace lapidary {
namespace {

struct Range {
    float min;
    float max;
};

double real(std::int64_t code, Range range)
{
    return double(range.min) + double(code) * (double(range.max) - double(range.min)) / 255.0;
}

// Quantizes `values` as closely as 8 bits allow.
Value codesNear(Dims dims, const std::vector<double>& values, Range range)
{
    Codes codes;
    for (const double value : values)
        codes.push_back(std::llround((value - double(range.min)) * 255.0 /
                                     (double(range.max) - double(range.min))));
    return coded(DType::QUInt8, std::move(dims), codes);
}

const std::vector<double> oneToTen{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

TEST_CASE("a range of one negative number is refused with what it comes from", "[quantized]")
{
    const Value x = coded(DType::QUInt8, {2}, {255});
    const auto errorWith = [&](float min, float max) {
        return runCoded("QuantizedAdd", withEnds({x, x}, {min, max, 0, 1})).error;
    };
    CHECK(errorWith(-2, -2).find("the same negative one") != std::string::npos);
    CHECK(errorWith(-2, -3).find("the same negative one") == std::string::npos);
    CHECK(errorWith(-2, -3).find("max_x must be larger than min_x") != std::string::npos);
}

TEST_CASE("QuantizedAdd gives TensorFlow's sums", "[quantized]")
{
    const Value x = codesNear({10}, oneToTen, {0, 10});
    const Value y = codesNear({1}, {10}, {-100, 100});
    const Codes expected{13662, 14937, 16263, 17538, 18864, 20139, 21465, 22740, 24066, 25341};
    const auto z = runCoded("QuantizedAdd", withEnds({x, y}, {0, 10, -100, 100}));
    CHECK(z.codes == expected);
    CHECK(z.min == -1638400);
    CHECK(z.max == 1638400);
    CHECK(runCoded("QuantizedAdd", withEnds({y, x}, {-100, 100, 0, 10})).codes == expected);
}

TEST_CASE("QuantizedBiasAdd gives TensorFlow's sums", "[quantized]")
{
    const Value x = coded(DType::QUInt8, {2, 3}, {43, 85, 128, 170, 213, 255});
    const Value bias = coded(DType::QUInt8, {3}, {85, 170, 255});
    const NodeAttrs attrs{{"out_type", attr::fromType(DType::QInt32)}};
    const auto y = runCoded("QuantizedBiasAdd", withEnds({x, bias}, {0, 60, 0, 3}), attrs);
    CHECK(y.codes == Codes{3036, 6007, 9043, 11196, 14231, 17203});
    CHECK(y.min == -7864320);
    CHECK(y.max == 7864320);
    const auto none =
        runCoded("QuantizedBiasAdd",
                 withEnds({emptyValue(DType::QUInt8, {0, 3}), bias}, {0, 60, 0, 3}), attrs);
    CHECK(none.error.empty());
    CHECK(none.dims == Dims{0, 3});
    const auto small =
        runCoded("QuantizedBiasAdd",
                 withEnds({coded(DType::QInt8, {1, 2}, {-128, 127}), coded(DType::QInt8, {2}, {0})},
                          {-1, 1, -1, 1}),
                 attrs);
    REQUIRE(small.codes.size() == 2);
    CHECK(small.codes[0] < -15000);
    CHECK(small.codes[1] > 15000);
}

// Repeats an operand for a result of the sizes `dims`, aligned at the last axes.
struct Shapes {
    Dims x;
    Dims y;
    Dims z;
};

void checkNear(std::string_view op, const Shapes& shapes, double tolerance)
{
    CAPTURE(op, shapes.x, shapes.y);
    const Range xRange{0, 256};
    const Range yRange{-150, 150};
    const Value x = codedRamp(shapes.x, 3, 5);
    const Value y = codedRamp(shapes.y, 23, 11);
    const auto z = runCoded(op, withEnds({x, y}, {xRange.min, xRange.max, yRange.min, yRange.max}));
    REQUIRE(z.error.empty());
    CHECK(z.dims == shapes.z);
    const double step = (double(z.max) - double(z.min)) / 4294967295.0;
    const Codes xs = codesOf(x);
    const Codes ys = codesOf(y);
    for (std::size_t i = 0; i < z.codes.size(); ++i) {
        const double a = real(xs[i % xs.size()], xRange);
        const double b = real(ys[i % ys.size()], yRange);
        CHECK(double(z.codes[i]) * step ==
              Approx(op == "QuantizedAdd" ? a + b : a * b).margin(tolerance));
    }
}

TEST_CASE("8-bit sums and products lie near those of floats", "[quantized]")
{
    const Shapes all[] = {{{100}, {1}, {100}},      {{1}, {100}, {100}},
                          {{127}, {127}, {127}},    {{13}, {2, 13}, {2, 13}},
                          {{2, 15}, {15}, {2, 15}}, {{5, 2}, {2, 5, 2}, {2, 5, 2}},
                          {{}, {3}, {3}},           {{}, {}, {}},
                          {{0, 3}, {3}, {0, 3}},    {{0}, {1}, {0}}};
    for (const Shapes& shapes : all) {
        checkNear("QuantizedAdd", shapes, 1);
        checkNear("QuantizedMul", shapes, 256);
    }
}

TEST_CASE("QuantizedMul multiplies codes without their zeros", "[quantized]")
{
    const auto z =
        runCoded("QuantizedMul",
                 withEnds({codedRamp({13}, 0, 20), codedRamp({13}, 255, -20)}, {-1, 3, -10, 20}));
    REQUIRE(z.codes.size() == 13);
    for (std::int64_t i = 0; i < 13; ++i)
        CHECK(z.codes[std::size_t(i)] ==
              (20 * i - zeroCode(-1, 3)) * (255 - 20 * i - zeroCode(-10, 20)));
}

} // namespace
} // namespace lapidary
