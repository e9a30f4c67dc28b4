// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/quantized/biases.h"
#include "runner/kernels/quantized/codes.h"
#include "tests/catch.h"

#include <cstdlib>
#include <vector>

namespace lapidary {
namespace {

constexpr auto lowestCode = std::numeric_limits<std::int32_t>::lowest();
constexpr auto highest32 = std::numeric_limits<std::int32_t>::max();

TEST_CASE("a number becomes the nearest code of its range", "[quantized]")
{
    struct Case {
        float x;
        CodeRange range;
        int code;
    };
    const Case cases[] = {{0, {0, 1}, 0},        {0.5F, {0, 1}, 128},     {1, {0, 2}, 128},
                          {1, {0, 1}, 255},      {2, {0, 2}, 255},        {-128, {-128, 127}, 0},
                          {0, {-128, 127}, 128}, {127, {-128, 127}, 255}, {1, {1, 256}, 0},
                          {128, {1, 256}, 127},  {256, {1, 256}, 255},    {9, {0, 1}, 255},
                          {-9, {0, 1}, 0},       {5, {3, 3}, 0}};
    for (const Case& c : cases) {
        CAPTURE(c.x, c.range.min, c.range.max);
        CHECK(int(nearestCode<std::uint8_t>(c.x, c.range)) == c.code);
    }
    CHECK(nearestCode<std::int32_t>(-128, {-128, 128}) == lowestCode);
    CHECK(nearestCode<std::int32_t>(0, {-128, 128}) == 0);
    CHECK(nearestCode<std::int32_t>(128, {-128, 128}) == highest32);
    // If the range does not include 0, the code of 0 is outside the type.
    CHECK(unclampedCode<std::uint8_t>(0, {-3, -1}) == 383);
    CHECK(unclampedCode<std::uint8_t>(0, {1, 256}) == -1);
}

TEST_CASE("a code becomes the number that it represents", "[quantized]")
{
    struct Case {
        std::uint8_t code;
        CodeRange range;
        float real;
    };
    const Case cases[] = {{0, {0, 1}, 0},       {127, {0, 1}, 0.5F},  {127, {0, 2}, 1},
                          {255, {0, 1}, 1},     {255, {0, 2}, 2},     {0, {1, 256}, 1},
                          {127, {1, 256}, 128}, {255, {1, 256}, 256}, {77, {3, 3}, 3}};
    for (const Case& c : cases) {
        CAPTURE(int(c.code), c.range.min, c.range.max);
        CHECK(exactReal(c.code, c.range) == Approx(c.real).margin(1 / 255.0));
    }
    for (const int code : {0, 128, 255, 23, 24, 25, 243, 244, 245})
        CHECK(exactReal(std::uint8_t(code), {-128, 127}) == float(code - 128));
    CHECK(exactReal(lowestCode, {-1, 1}) == Approx(-1).margin(1e-5));
    CHECK(exactReal(std::int32_t(0), {-1, 1}) == Approx(0).margin(1e-5));
    CHECK(exactReal(highest32, {-1, 1}) == Approx(1).margin(1e-5));
}

TEST_CASE("tensors of codes go to numbers and back", "[quantized]")
{
    for (const CodeRange range : {CodeRange{0, 2}, {-1, 3}, {-0.1375F, 1.1385F}, {-10, 20}}) {
        const Real<std::uint8_t> real(range);
        const Code<std::uint8_t> code(range);
        const double step = (double(range.max) - double(range.min)) / 255.0;
        for (int i = 0; i < 256; ++i) {
            CAPTURE(range.min, range.max, i);
            CHECK(int(code(real(std::uint8_t(i)))) == i);
            CHECK(real(std::uint8_t(i)) ==
                  Approx(exactReal(std::uint8_t(i), range)).margin(step / 1000));
        }
    }
    const Code<std::uint8_t> code({0, 255});
    const std::vector<std::pair<float, int>> held{{1, 1},     {-1, 0},    {10.25F, 10}, {127, 127},
                                                  {255, 255}, {512, 255}, {0, 0},       {23, 23}};
    for (const auto& [x, expected] : held)
        CHECK(int(code(x)) == expected);
    const Code<std::int32_t> wide({0, 2400});
    CHECK(wide(-100) == lowestCode);
    CHECK(wide(0) == lowestCode);
    CHECK(wide(2400) == 2147483520);
    CHECK(wide(1e9F) == 2147483520);
}

TEST_CASE("if 0 is half way between two codes, dequantizing is one code off", "[quantized]")
{
    // TensorFlow rounds min * 127.5 to -128 here, but min / (2 / 255) to -127.
    const CodeRange range{-1, 1};
    const Real<std::uint8_t> real(range);
    const Code<std::uint8_t> code(range);
    for (int i = 0; i < 255; ++i)
        CHECK(int(code(real(std::uint8_t(i)))) == i + 1);
    CHECK(int(code(real(255))) == 255);
}

// The integer methods for tensors and the exact one differ by at most `tolerance`.
void checkNarrow(CodeRange from, CodeRange to, std::int64_t code)
{
    const std::int64_t requantized = SumRequantizer(from, to)(std::int32_t(code));
    const std::int64_t exact = movedCode<std::int32_t, std::uint8_t>(std::int32_t(code), from, to);
    if (std::abs(requantized - exact) > 1)
        FAIL_CHECK(code << " of [" << from.min << ", " << from.max << "] in [" << to.min << ", "
                        << to.max << "]: " << requantized << " for " << exact);
}

TEST_CASE("int32 codes become 8-bit codes of another range", "[quantized]")
{
    const std::pair<CodeRange, CodeRange> few[] = {{{0, 255}, {0, 255}}, {{0, 1}, {0, 1}},
                                                   {{-1, 1}, {-1, 1}},   {{-1, 1}, {-255, 255}},
                                                   {{3, 3}, {0, 255}},   {{0, 255}, {5, 5}}};
    for (const auto& [from, to] : few)
        for (const float x : {0.0F, 0.45F, 1.0F, -1.0F, 127.0F, 255.0F})
            checkNarrow(from, to, nearestCode<std::int32_t>(x, from));
    const std::pair<CodeRange, CodeRange> many[] = {{{-1, 1}, {-1, 1}},
                                                    {{-255, 255}, {-255, 255}},
                                                    {{-1, 1}, {-12345678, 12345678}},
                                                    {{-1, 12345678}, {-12345678, 12345678}}};
    for (const auto& [from, to] : many) {
        for (std::int64_t code = lowestCode; code <= highest32; code += 297871)
            checkNarrow(from, to, code);
        checkNarrow(from, to, highest32);
    }
    const CodeRange wide{-1e6F, 1e6F};
    const CodeRange requantized{-29.1234F, 23.1234F};
    const std::int64_t end = nearestCode<std::int32_t>(requantized.max, wide);
    for (std::int64_t code = nearestCode<std::int32_t>(requantized.min, wide); code < end;
         code += 7)
        checkNarrow(wide, requantized, code);
}

TEST_CASE("8-bit codes become int32 codes of another range", "[quantized]")
{
    const std::pair<CodeRange, CodeRange> ranges[] = {{{-1, 1}, {-1, 1}},
                                                      {{-255, 255}, {-255, 255}},
                                                      {{-1, 1}, {-12345678, 12345678}},
                                                      {{-1, 12345678}, {-12345678, 12345678}}};
    for (const auto& [from, to] : ranges) {
        const Widen widen(from, to);
        for (int i = 0; i < 256; ++i) {
            CAPTURE(from.min, from.max, to.max, i);
            const auto code = std::uint8_t(i);
            const std::int64_t exact = movedCode<std::uint8_t, std::int32_t>(code, from, to);
            CHECK(std::abs(widen(code) - exact) <= 256);
        }
    }
}

template <class T>
void checkTable(CodeRange from, CodeRange to)
{
    CAPTURE(from.min, from.max, to.min, to.max);
    const CodeTable table = movedTable<T>(from, to);
    const Real<T> real(from);
    const Code<std::int32_t> code(to);
    for (int i = 0; i < 256; ++i) {
        CAPTURE(i);
        CHECK(table[std::size_t(i)] == code(real(T(i))));
    }
}

TEST_CASE("a table of moved codes has what one code after the other gives", "[quantized]")
{
    const CodeRange sources[] = {{-1, 1}, {0, 6}, {-3.7F, 0.1F}, {2, 2}, {-1e30F, 1e30F}};
    const CodeRange targets[] = {{-131072, 131072}, {-1e-3F, 1e-3F}, {0, 0}, {-1e38F, 1e38F}};
    for (const CodeRange from : sources)
        for (const CodeRange to : targets) {
            checkTable<std::uint8_t>(from, to);
            checkTable<std::int8_t>(from, to);
        }
}

} // namespace
} // namespace lapidary
