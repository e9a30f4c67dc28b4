// SPDX-License-Identifier: Apache-2.0
// QuantizeV2, Dequantize and the ops between int32 and 8-bit codes.
#include "tests/catch.h"
#include "tests/runner/kernels/quantized/coded.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

constexpr std::int64_t lowest32 = std::numeric_limits<std::int32_t>::lowest();
const float nan = std::numeric_limits<float>::quiet_NaN();
const float infinity = std::numeric_limits<float>::infinity();

Value floats(const std::vector<float>& elements)
{
    return valueOf<float>({std::int64_t(elements.size())}, elements);
}

CodedResult quantized(const Value& x, float min, float max, DType type, const char* mode,
                      const char* rounding = "HALF_AWAY_FROM_ZERO")
{
    return runCoded("QuantizeV2", withEnds({x}, {min, max}),
                    {{"T", attr::fromType(type)},
                     {"mode", attr::fromString(mode)},
                     {"round_mode", attr::fromString(rounding)}});
}

std::vector<float> dequantized(const Value& codes, float min, float max, const char* mode)
{
    const auto reals =
        runOne("Dequantize", withEnds({codes}, {min, max}), {{"mode", attr::fromString(mode)}});
    return reals ? elementsOf<float>(reals.value()) : std::vector<float>{};
}

TEST_CASE("-10, 20 and 0 become the codes 0, 255 and 85", "[quantized]")
{
    for (const char* mode : {"MIN_FIRST", "MIN_COMBINED"}) {
        CAPTURE(mode);
        const auto codes = quantized(floats({-10, 20, 0}), -10, 20, DType::QUInt8, mode);
        CHECK(codes.error.empty());
        CHECK(codes.codes == Codes{0, 255, 85});
        CHECK(codes.min == -10);
        CHECK(codes.max == 20);
        const auto reals = dequantized(coded(DType::QUInt8, {3}, codes.codes), -10, 20, mode);
        REQUIRE(reals.size() == 3);
        CHECK(reals[0] == Approx(-10));
        CHECK(reals[1] == Approx(20));
        CHECK(reals[2] == Approx(0).margin(1e-5));
    }
}

TEST_CASE("QuantizeV2 gives TensorFlow's codes and range", "[quantized]")
{
    struct Case {
        DType type;
        const char* mode;
        const char* rounding;
        std::vector<float> x;
        float min, max;
        Codes codes;
        float outMin, outMax;
    };
    const char* away = "HALF_AWAY_FROM_ZERO";
    const char* even = "HALF_TO_EVEN";
    const std::vector<float> halves{-126.5F, 0, 1, 2.5F, 3.5F, 64, 127};
    const Case cases[] = {
        {DType::QUInt8,
         "MIN_FIRST",
         away,
         {0, 1, 1.25F, 1.75F, 127, 255, 500},
         0,
         255,
         {0, 1, 1, 2, 127, 255, 255},
         0,
         255},
        {DType::QUInt8,
         "SCALED",
         away,
         {-255, 0, 1, 1.25F, 1.75F, 64, 127, 500},
         -255,
         127,
         {0, 0, 2, 3, 4, 129, 255, 255},
         0,
         127},
        {DType::QUInt8, "SCALED", away, {-1, 0, 2}, -1, 2, {0, 0, 255}, 0, 2},
        {DType::QInt8,
         "SCALED",
         away,
         {-128, 0, 1, 1.25F, 1.75F, 64, 127},
         -128,
         100,
         {-128, 0, 1, 1, 2, 64, 127},
         -128,
         127},
        {DType::QInt8,
         "SCALED",
         away,
         {-0.064F, 0, 0.127F},
         -0.064F,
         0.127F,
         {-64, 0, 127},
         -0.128F,
         0.127F},
        {DType::QInt8, "SCALED", even, halves, -128, -128, {-126, 0, 1, 2, 4, 64, 127}, -128, 127},
        {DType::QInt8, "SCALED", away, halves, -128, -128, {-127, 0, 1, 3, 4, 64, 127}, -128, 127},
        {DType::QInt32,
         "MIN_FIRST",
         away,
         {-500, 0, 1, 1.25F, 1.75F, 127, 255, 500},
         -256,
         256,
         {lowest32, 0, 8388608, 10485760, 14680064, 1065353216, 2139095040, 2147483520},
         -256,
         256},
        {DType::QUInt8, "MIN_FIRST", away, {0, 0}, 0, 0, {0, 0}, 0, 0.01F},
        {DType::QUInt8, "MIN_FIRST", away, {0.1F, 0.2F, 0.3F}, 0.1F, 0.3F, {85, 170, 255}, 0, 0.3F},
        {DType::QUInt8,
         "MIN_FIRST",
         away,
         {-0.1F, -0.2F, -0.3F},
         -0.3F,
         -0.1F,
         {170, 85, 0},
         -0.3F,
         0},
        {DType::QInt8, "MIN_COMBINED", away, {-1, 0, 1, 9}, -1, 1, {-128, -1, 127, 127}, -1, 1},
        {DType::QUInt16,
         "MIN_COMBINED",
         away,
         {0, 0.5F, 1, 9},
         0,
         1,
         {0, 32768, 65535, 65535},
         0,
         1},
        {DType::QInt16, "MIN_FIRST", away, {-9, 0, 1}, 0, 1, {-32768, -32768, 32767}, 0, 1}};
    for (const Case& c : cases) {
        CAPTURE(dtypeName(c.type), c.mode, c.rounding, c.x);
        const auto y = quantized(floats(c.x), c.min, c.max, c.type, c.mode, c.rounding);
        CHECK(y.error.empty());
        CHECK(y.codes == c.codes);
        CHECK(y.min == Approx(c.outMin));
        CHECK(y.max == Approx(c.outMax));
        CHECK(y.dtype == c.type);
    }
}

TEST_CASE("NaN becomes the code 0, numbers that are too large the last code", "[quantized]")
{
    for (const char* mode : {"MIN_FIRST", "MIN_COMBINED", "SCALED"})
        for (const DType type : {DType::QUInt8, DType::QInt8, DType::QUInt16, DType::QInt16}) {
            CAPTURE(mode, dtypeName(type));
            const auto y = quantized(floats({nan, infinity, 1}), -1, 1, type, mode);
            REQUIRE(y.codes.size() == 3);
            CHECK(y.codes[0] == 0);
            CHECK(y.codes[1] == y.codes[2]);
        }
    for (const char* mode : {"MIN_FIRST", "MIN_COMBINED", "SCALED"}) {
        const auto none = quantized(emptyValue(DType::Float, {0, 3}), -1, 1, DType::QUInt8, mode);
        CHECK(none.error.empty());
        CHECK(none.dims == Dims{0, 3});
    }
}

TEST_CASE("Dequantize gives the numbers of known codes", "[quantized]")
{
    struct Case {
        DType type;
        const char* mode;
        float min, max;
        std::int64_t code;
        float real;
    };
    const Case cases[] = {{DType::QUInt8, "SCALED", -255, 127, 0, 0},
                          {DType::QUInt8, "SCALED", -512, 255, 255, 255},
                          {DType::QUInt8, "SCALED", -1, 2, 255, 2},
                          {DType::QUInt8, "SCALED", 200, 400, 255, 400},
                          {DType::QInt8, "SCALED", -255, 127, 0, 0},
                          {DType::QInt8, "SCALED", -10, 127, -127, -127},
                          {DType::QInt8, "SCALED", -2, 1, -128, -2},
                          {DType::QInt8, "SCALED", -1, 300, 42, 99.212601F},
                          {DType::QUInt8, "MIN_FIRST", 0, 255, 16, 16},
                          {DType::QInt8, "MIN_FIRST", -128, 127, -128, -128},
                          {DType::QUInt16, "MIN_FIRST", 0, 65535, 4711, 4711},
                          {DType::QInt16, "MIN_COMBINED", -32768, 32767, -5, -5},
                          {DType::QInt32, "MIN_FIRST", -1, 1, lowest32, -1}};
    for (const Case& c : cases) {
        CAPTURE(dtypeName(c.type), c.mode, c.min, c.max, c.code);
        const auto y = dequantized(coded(c.type, {1}, {c.code}), c.min, c.max, c.mode);
        REQUIRE(y.size() == 1);
        CHECK(y[0] == Approx(c.real).margin(1e-5));
    }
    CHECK(runOne("Dequantize", withEnds({emptyValue(DType::QInt8, {0})}, {0, 1})).ok());
}

TEST_CASE("MIN_COMBINED is one multiplication and one addition in float", "[quantized]")
{
    for (const bool isSigned : {false, true}) {
        const std::int64_t low = isSigned ? -128 : 0;
        Codes codes;
        for (std::int64_t i = 0; i < 256; ++i)
            codes.push_back(low + i);
        const DType type = isSigned ? DType::QInt8 : DType::QUInt8;
        const auto y = dequantized(coded(type, {256}, codes), -3, 255, "MIN_COMBINED");
        REQUIRE(y.size() == 256);
        const float scale = 258.0F / 255.0F;
        for (std::size_t i = 0; i < 256; ++i) {
            const float place = float(i) * scale;
            CHECK(y[i] == place + -3.0F);
        }
    }
}

TEST_CASE("int32 codes are brought down to the range that they use", "[quantized]")
{
    const Value sums = coded(DType::QInt32, {3}, {-(1 << 23), 0, 1 << 23});
    const NodeAttrs toUInt8{{"out_type", attr::fromType(DType::QUInt8)}};
    const auto shrunk =
        runCoded("QuantizeDownAndShrinkRange", withEnds({sums}, {-256, 256}), toUInt8);
    CHECK(shrunk.codes == Codes{0, 127, 255});
    CHECK(shrunk.min == -0.99999994F);
    CHECK(shrunk.max == 1.00000012F);
    const auto asked = runCoded("Requantize", withEnds({sums}, {-256, 256, -1, 1}), toUInt8);
    CHECK(asked.codes == Codes{0, 128, 255});
    CHECK(asked.min == -1);
    CHECK(asked.max == 1);
    const auto small = runCoded("Requantize", withEnds({sums}, {-256, 256, -1, 1}),
                                {{"out_type", attr::fromType(DType::QInt8)}});
    CHECK(small.dtype == DType::QInt8);
    CHECK(small.codes.front() == -128);
    CHECK(small.codes.back() == 127);
    const auto range = runNode("RequantizationRange", withEnds({sums}, {-256, 256}));
    REQUIRE(range.ok());
    CHECK(elementsOf<float>((*range)[0])[0] == Approx(-1));
    CHECK(elementsOf<float>((*range)[1])[0] == Approx(1));
}

TEST_CASE("no sums at all can be brought down", "[quantized]")
{
    const Value none = emptyValue(DType::QInt32, {2, 0});
    const NodeAttrs toUInt8{{"out_type", attr::fromType(DType::QUInt8)}};
    for (const auto& [op, ends] :
         {std::pair<const char*, std::vector<float>>{"QuantizeDownAndShrinkRange", {-1, 1}},
          {"Requantize", {-1, 1, -1, 1}}}) {
        const auto y = runCoded(op, withEnds({none}, ends), toUInt8);
        CHECK(y.error.empty());
        CHECK(y.dims == Dims{2, 0});
    }
    CHECK(runNode("RequantizationRange", withEnds({none}, {-1, 1})).ok());
}

} // namespace
} // namespace lapidary
