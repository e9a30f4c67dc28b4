// SPDX-License-Identifier: Apache-2.0
// QuantizedConv2D and QuantizedMatMul compared with plain sums.
#include "tests/catch.h"
#include "tests/runner/kernels/quantized/coded.h"

namespace lapidary {
namespace {

NodeAttrs strided(std::int64_t stride, const char* padding)
{
    return {{"strides", attr::fromInts({1, stride, stride, 1})},
            {"padding", attr::fromString(padding)}};
}

struct Picture {
    Dims input;
    Dims filter;
    std::int64_t stride;
    const char* padding;
};

struct Axis {
    std::int64_t size;
    std::int64_t before;
};

// Returns how many windows fit, and how far the first one reaches over the edge.
Axis axisOf(std::int64_t input, std::int64_t filter, std::int64_t stride, bool same)
{
    const std::int64_t size =
        same ? (input + stride - 1) / stride : (input - filter + stride) / stride;
    const std::int64_t over = (size - 1) * stride + filter - input;
    return {size, same ? over / 2 : (over + 1) / 2};
}

// Elements outside the picture count as 0, which is in both ranges here.
Codes plainSums(const Picture& p, const Codes& x, const Codes& f, std::int64_t xZero,
                std::int64_t fZero)
{
    const bool same = std::string(p.padding) == "SAME";
    const Axis rows = axisOf(p.input[1], p.filter[0], p.stride, same);
    const Axis columns = axisOf(p.input[2], p.filter[1], p.stride, same);
    const std::int64_t depth = p.filter[2];
    const std::int64_t filters = p.filter[3];
    Codes sums(std::size_t(p.input[0] * rows.size * columns.size * filters), 0);
    const std::int64_t taps = p.filter[0] * p.filter[1] * depth;
    for (std::size_t at = 0; at < sums.size(); ++at) {
        const auto place = std::int64_t(at);
        const std::int64_t k = place % filters;
        const std::int64_t column = place / filters % columns.size;
        const std::int64_t row = place / filters / columns.size % rows.size;
        const std::int64_t image = place / filters / columns.size / rows.size;
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            const std::int64_t c = tap % depth;
            const std::int64_t y = row * p.stride - rows.before + tap / depth / p.filter[1];
            const std::int64_t z = column * p.stride - columns.before + tap / depth % p.filter[1];
            if (y < 0 || y >= p.input[1] || z < 0 || z >= p.input[2])
                continue;
            const std::int64_t from = ((image * p.input[1] + y) * p.input[2] + z) * depth + c;
            sums[at] +=
                (x[std::size_t(from)] - xZero) * (f[std::size_t(tap * filters + k)] - fZero);
        }
    }
    return sums;
}

TEST_CASE("QuantizedConv2D gives the sums of products of known codes", "[quantized]")
{
    Codes tens;
    for (std::int64_t i = 1; i <= 12; ++i)
        tens.push_back(10 * i);
    const Value x = coded(DType::QUInt8, {1, 3, 4, 1}, tens);
    const Value filter = coded(DType::QUInt8, {3, 3, 1, 1}, {10, 40, 70, 20, 50, 80, 30, 60, 90});
    const auto y =
        runCoded("QuantizedConv2D", withEnds({x, filter}, {0, 255, 0, 255}), strided(1, "SAME"));
    CHECK(y.codes ==
          Codes{10500, 15000, 18300, 9500, 23500, 31200, 35700, 17800, 18700, 23400, 26100, 12100});
    CHECK(y.dtype == DType::QInt32);
    CHECK(y.min == -2147483648.0F); // one step of the sum represents 1
    CHECK(y.max == 2147483648.0F);
}

TEST_CASE("an odd remainder of padding is after the picture", "[quantized]")
{
    const Value image = codedRamp({1, 4, 4, 1}, 1);
    const auto y =
        runCoded("QuantizedConv2D", withEnds({image, codedRamp({3, 3, 1, 1}, 1)}, {0, 255, 0, 255}),
                 strided(2, "SAME"));
    CHECK(y.codes == Codes{348, 252, 274, 175});
}

TEST_CASE("QuantizedConv2D agrees with plain sums for odd sizes", "[quantized]")
{
    const Picture pictures[] = {
        {{1, 1, 1, 1}, {1, 1, 1, 1}, 1, "VALID"},      {{2, 13, 15, 3}, {3, 3, 3, 5}, 1, "SAME"},
        {{1, 13, 7, 127}, {1, 1, 127, 17}, 1, "SAME"}, {{1, 9, 9, 4}, {3, 5, 4, 7}, 2, "VALID"},
        {{3, 5, 6, 13}, {2, 2, 13, 1}, 2, "SAME"},     {{1, 3, 3, 2}, {5, 5, 2, 3}, 1, "SAME"},
        {{1, 17, 15, 1}, {1, 1, 1, 33}, 3, "SAME"},    {{1, 8, 8, 64}, {3, 3, 64, 15}, 1, "VALID"}};
    for (const Picture& p : pictures)
        for (const auto& [low, high] : {std::pair(-1.0F, 1.0F), {0.0F, 6.0F}, {-10.0F, 20.0F}}) {
            CAPTURE(p.input, p.filter, p.stride, p.padding, low, high);
            const Value x = codedRamp(p.input, 200, 37);
            const Value filter = codedRamp(p.filter, 3, 101);
            const auto y = runCoded("QuantizedConv2D", withEnds({x, filter}, {low, high, -1, 3}),
                                    strided(p.stride, p.padding));
            CHECK(y.error.empty());
            CHECK(y.codes ==
                  plainSums(p, codesOf(x), codesOf(filter), zeroCode(low, high), zeroCode(-1, 3)));
        }
}

TEST_CASE("where 0 is not a code of the picture, what is outside counts for nothing", "[quantized]")
{
    const Picture p{{1, 4, 5, 2}, {3, 3, 2, 3}, 1, "SAME"};
    const Value x = codedRamp(p.input);
    const Value filter = codedRamp(p.filter, 1, 7);
    const auto y =
        runCoded("QuantizedConv2D", withEnds({x, filter}, {1, 256, 0, 255}), strided(1, "SAME"));
    CHECK(y.codes == plainSums(p, codesOf(x), codesOf(filter), -1, 0));
}

TEST_CASE("the largest codes do not saturate a sum", "[quantized]")
{
    const Value x = coded(DType::QUInt8, {1, 1, 1, 4096}, {255});
    const Value filter = coded(DType::QUInt8, {1, 1, 4096, 2}, {255});
    const auto y =
        runCoded("QuantizedConv2D", withEnds({x, filter}, {0, 1, 0, 1}), strided(1, "VALID"));
    CHECK(y.codes == Codes{4096 * 255 * 255, 4096 * 255 * 255});
}

TEST_CASE("QuantizedMatMul gives known products", "[quantized]")
{
    const Value a = codedRamp({2, 3}, 1);
    const Value b = codedRamp({3, 4}, 7);
    const auto y = runCoded("QuantizedMatMul", withEnds({a, b}, {0, 255, 0, 255}));
    CHECK(y.codes == Codes{74, 80, 86, 92, 173, 188, 203, 218});
    const NodeAttrs turned{{"transpose_a", attr::fromBool(true)}};
    const auto one =
        runCoded("QuantizedMatMul",
                 withEnds({coded(DType::QUInt8, {1, 1}, {11}), coded(DType::QUInt8, {1, 1}, {0})},
                          {-12, 243, 1, 256}),
                 turned);
    CHECK(one.codes == Codes{-1});
    const auto eight = runCoded(
        "QuantizedMatMul",
        withEnds({codedRamp({3, 4}, 11, -1), coded(DType::QUInt8, {3, 2}, {1, 4, 2, 5, 3, 6})},
                 {-12, 243, 0, 255}),
        turned);
    CHECK(eight.codes == Codes{-38, -83, -44, -98, -50, -113, -56, -128});
}

struct Product {
    std::int64_t rows, depth, columns;
    bool turnsA = false;
    bool turnsB = false;
};

Codes plainProduct(const Product& p, const Codes& a, const Codes& b, std::int64_t aZero,
                   std::int64_t bZero)
{
    Codes sums;
    for (std::int64_t i = 0; i < p.rows; ++i)
        for (std::int64_t j = 0; j < p.columns; ++j) {
            std::int64_t sum = 0;
            for (std::int64_t l = 0; l < p.depth; ++l)
                sum += (a[std::size_t(p.turnsA ? l * p.rows + i : i * p.depth + l)] - aZero) *
                       (b[std::size_t(p.turnsB ? j * p.depth + l : l * p.columns + j)] - bZero);
            sums.push_back(sum);
        }
    return sums;
}

TEST_CASE("QuantizedMatMul agrees with plain sums, turned or not", "[quantized]")
{
    const Product sizes[] = {{1, 1, 1},  {13, 15, 127}, {1, 127, 33},
                             {65, 3, 1}, {2, 0, 3},     {0, 4, 2}};
    for (Product p : sizes)
        for (const int turned : {0, 1, 2, 3}) {
            p.turnsA = (turned & 1) != 0;
            p.turnsB = (turned & 2) != 0;
            CAPTURE(p.rows, p.depth, p.columns, turned);
            const Value a =
                codedRamp(p.turnsA ? Dims{p.depth, p.rows} : Dims{p.rows, p.depth}, 5, 91);
            const Value b =
                codedRamp(p.turnsB ? Dims{p.columns, p.depth} : Dims{p.depth, p.columns}, 250, 29);
            const auto y = runCoded("QuantizedMatMul", withEnds({a, b}, {-1, 3, -10, 20}),
                                    {{"transpose_a", attr::fromBool(p.turnsA)},
                                     {"transpose_b", attr::fromBool(p.turnsB)}});
            CHECK(y.error.empty());
            CHECK(y.dims == Dims{p.rows, p.columns});
            CHECK(y.codes ==
                  plainProduct(p, codesOf(a), codesOf(b), zeroCode(-1, 3), zeroCode(-10, 20)));
        }
}

} // namespace
} // namespace lapidary
