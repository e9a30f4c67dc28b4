// SPDX-License-Identifier: Apache-2.0
// Compares computing eight at a time with computing one at a time: ordinary, extreme and random
// numbers, and positions close to the border between two codes.
#include "runner/int8/requantization.h"
#include "runner/kernels/quantized/codes.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace lapidary::int8 {
namespace {

const std::size_t counts[] = {0, 1, 13, 31, 32, 33, 127, 1000};
constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::lowest();

// Sums within [-size, size], with the limits of int32 among them.
std::vector<std::int32_t> sumsOf(std::size_t count, std::int32_t size, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::int32_t> any(-size, size);
    std::vector<std::int32_t> sums(count);
    for (std::int32_t& sum : sums)
        sum = any(random);
    if (count > 10) {
        sums[3] = highest;
        sums[5] = lowest;
        sums[7] = 0;
    }
    return sums;
}

Requantization requantizationOf(CodeRange from, CodeRange to, std::uint8_t low = 0,
                                std::uint8_t high = 255)
{
    const SumRequantizer requantize(from, to);
    return {requantize.scale(), requantize.offset(), low, high};
}

const Requantization requantizations[] = {
    requantizationOf({-1000, 1000}, {-1, 1}),
    requantizationOf({-1000, 1000}, {-1e-3F, 1e-3F}),
    requantizationOf({-70000, 70000}, {-3, 5}, 97, 200),
    requantizationOf({-70000, 70000}, {0, 6}, 0, 255),
    requantizationOf({-1, 1}, {-30000, 1e-3F}, 255, 255),
    requantizationOf({-1, 1}, {0, 0}),
    requantizationOf({-5, 90}, {-1e-30F, 1e-30F}, 40, 20),
    {std::int64_t(1) << 40, 32768},
    {std::int64_t(1) << 48, 0},
    {std::int64_t(1) << 47, -(std::int64_t(1) << 20)},
    {-(std::int64_t(1) << 44), 70 << 16},
    {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::lowest()},
    {0, 3 << 16},
};

// The formula of resources/spec/kernels.md, section B2.3.
std::uint8_t formula(std::int32_t sum, const Requantization& n)
{
    const auto whole = std::uint64_t(std::int64_t(float(sum)));
    const auto scaled = std::int64_t(whole * std::uint64_t(n.scale)) >> 32;
    const auto fixed = std::int64_t(std::uint64_t(scaled) + std::uint64_t(n.offset));
    const std::int64_t code = std::min<std::int64_t>(std::max<std::int64_t>(fixed >> 16, 0), 255);
    return std::min(std::max(std::uint8_t(code), n.low), n.high);
}

TEST_CASE("sums become codes as the formula says", "[int8]")
{
    for (const Requantization& n : requantizations)
        for (const std::size_t count : counts)
            for (const std::int32_t size : {3, 300, 100'000, 20'000'000, highest}) {
                CAPTURE(n.scale, n.offset, int(n.low), int(n.high), count, size);
                const auto sums = sumsOf(count, size, unsigned(count) + 7);
                std::vector<std::uint8_t> codes(count);
                std::vector<std::uint8_t> wanted(count);
                requantize(sums, n, codes.data());
                for (std::size_t i = 0; i < count; ++i)
                    wanted[i] = formula(sums[i], n);
                CHECK(codes == wanted);
            }
}

TEST_CASE("sums at the border between two codes get the right one", "[int8]")
{
    // Each code covers 1000 sums; the first sum is in the middle of its code.
    const std::int64_t scale = (std::int64_t(1) << 48) / 1000;
    for (const std::int64_t offset : {0, 1, -1, 65535, 32768, 40 << 16}) {
        std::vector<std::int32_t> sums;
        for (std::int32_t code = -2; code < 258; ++code)
            for (std::int32_t off = -2; off <= 2; ++off)
                sums.push_back(code * 1000 + off);
        std::vector<std::uint8_t> codes(sums.size());
        std::vector<std::uint8_t> wanted(sums.size());
        const Requantization n{scale, offset};
        requantize(sums, n, codes.data());
        for (std::size_t i = 0; i < sums.size(); ++i)
            wanted[i] = formula(sums[i], n);
        CHECK(codes == wanted);
    }
}

Shift shiftOf(CodeRange from, CodeRange to)
{
    const Real<std::uint8_t> real(from);
    const Code<std::int32_t> code(to);
    Shift shift{real.bias(), real.step(), code.scale(), code.offset()};
    for (std::size_t c = 0; c < shift.table.size(); ++c)
        shift.table[c] = code(real(std::uint8_t(c)));
    return shift;
}

Range32 endsOf(const std::vector<std::int32_t>& sums)
{
    if (sums.empty())
        return {};
    return {*std::ranges::min_element(sums), *std::ranges::max_element(sums)};
}

void biasedAgree(const Shift& shift, std::size_t channels, std::int32_t mostAdded)
{
    const auto added = sumsOf(channels, mostAdded, 3);
    const std::vector<std::int32_t> calm(channels, mostAdded / 2);
    for (const auto& bias : {added, calm})
        for (const Requantization& first : requantizations)
            for (const Requantization& second :
                 {requantizations[1], requantizations[2], requantizations[7]}) {
                auto sums = sumsOf(channels, 100'000, 11);
                if (channels % 2 == 0) // otherwise they are the limits of int32
                    for (std::int32_t& sum : sums)
                        sum %= 100'000;
                std::vector<std::uint8_t> codes(channels);
                std::vector<std::uint8_t> wanted(channels);
                BiasedRequantization(first, endsOf(sums), shift, bias, second)
                    .run(sums, codes.data());
                for (std::size_t c = 0; c < channels; ++c)
                    wanted[c] =
                        formula(std::int32_t(std::uint32_t(bias[c]) +
                                             std::uint32_t(shift.table[formula(sums[c], first)])),
                                second);
                CAPTURE(channels, mostAdded, shift.step, first.scale, second.scale);
                CHECK(codes == wanted);
                // Three pixels of codes.
                std::vector<std::uint8_t> plain(3 * channels);
                for (std::size_t i = 0; i < plain.size(); ++i)
                    plain[i] = std::uint8_t(i * 37 + i / 7);
                codes.resize(plain.size());
                wanted.resize(plain.size());
                BiasedRequantization({}, {}, shift, bias, second).run(plain, codes.data());
                for (std::size_t i = 0; i < plain.size(); ++i)
                    wanted[i] = formula(std::int32_t(std::uint32_t(bias[i % channels]) +
                                                     std::uint32_t(shift.table[plain[i]])),
                                        second);
                CHECK(codes == wanted);
            }
}

TEST_CASE("sums with a bias between two requantizations", "[int8]")
{
    // The second range has halves; the last one spans all of int32.
    const Shift shifts[] = {shiftOf({-1.3F, 2.1F}, {-300000, 300000}),
                            shiftOf({0, 255}, {-1073741824, 1073741824}),
                            shiftOf({-1, 1}, {-1e6F, 1e6F}), shiftOf({-8, 8}, {-4, 4})};
    for (const Shift& shift : shifts)
        for (const std::size_t channels : counts)
            for (const std::int32_t added : {0, 20'000, highest})
                biasedAgree(shift, channels, added);
}

TEST_CASE("sums whose range is just that of the codes", "[int8]")
{
    const Shift shift = shiftOf({-1.3F, 2.1F}, {-300000, 300000});
    for (const std::size_t channels : counts)
        for (const std::int32_t size : {300, 30'000, 3'000'000})
            for (const std::int32_t beyond : {0, 1, size / 100}) {
                auto sums = sumsOf(channels, size, 23);
                for (std::int32_t& sum : sums)
                    sum %= size;
                const Range32 ends = endsOf(sums);
                const std::int64_t width = std::int64_t(ends.most) - ends.least - beyond;
                const std::int64_t scale =
                    255 * (std::int64_t(1) << 48) / std::max<std::int64_t>(width, size);
                const std::int64_t offset = 32768 - (ends.least * scale >> 32);
                const Requantization first{scale, offset};
                const std::vector<std::int32_t> added(channels, 1234);
                std::vector<std::uint8_t> codes(channels);
                std::vector<std::uint8_t> wanted(channels);
                BiasedRequantization(first, ends, shift, added, requantizations[1])
                    .run(sums, codes.data());
                for (std::size_t c = 0; c < channels; ++c)
                    wanted[c] = formula(added[c] + shift.table[formula(sums[c], first)],
                                        requantizations[1]);
                CAPTURE(channels, size, beyond);
                CHECK(codes == wanted);
            }
}

TEST_CASE("pairs of codes are added and narrowed", "[int8]")
{
    const PairSum sums[] = {
        {-20000, 517, 301}, {0, 1, 1}, {4'000'000, 16383, -16383}, {-4'000'000, 0, 16383}};
    std::mt19937 random(5);
    for (const PairSum& sum : sums)
        for (const std::size_t count : counts) {
            std::vector<std::uint8_t> a(count);
            std::vector<std::uint8_t> b(count);
            for (std::size_t i = 0; i < count; ++i) {
                a[i] = std::uint8_t(random());
                b[i] = std::uint8_t(i % 3 == 0 ? 255 : random());
            }
            Range32 range{highest, lowest};
            for (std::size_t i = 0; i < count; ++i) {
                const std::int32_t one = sum.start + a[i] * sum.aStep + b[i] * sum.bStep;
                range = {std::min(range.least, one), std::max(range.most, one)};
            }
            CAPTURE(count, sum.start, sum.aStep, sum.bStep);
            const Range32 found = rangeOfPairs({a, b}, sum);
            CHECK(found.least == range.least);
            CHECK(found.most == range.most);
            for (const Requantization& n : requantizations) {
                std::vector<std::uint8_t> codes(count);
                std::vector<std::uint8_t> wanted(count);
                requantizePairs({a, b}, sum, n, codes.data());
                for (std::size_t i = 0; i < count; ++i)
                    wanted[i] = formula(sum.start + a[i] * sum.aStep + b[i] * sum.bStep, n);
                CHECK(codes == wanted);
            }
        }
}

TEST_CASE("the range of sums, few or many, is from the smallest to the largest", "[int8]")
{
    for (const std::size_t count : counts) {
        const auto sums = sumsOf(count, 100'000, unsigned(count) + 3);
        CAPTURE(count);
        for (const Range32 range : {rangeOfFew(sums), rangeOfSums(sums)}) {
            CHECK(range.least == endsOf(sums).least);
            CHECK(range.most == endsOf(sums).most);
        }
    }
}

TEST_CASE("the range of numbers passes NaN over", "[int8]")
{
    std::mt19937 random(3);
    std::uniform_real_distribution<float> any(-3, 300);
    for (const std::size_t count : counts)
        for (const std::size_t odd : {std::size_t(0), count / 2, count - count / 5}) {
            std::vector<float> x(count);
            for (float& number : x)
                number = any(random);
            if (odd < count)
                x[odd] = NAN;
            if (odd + 1 < count)
                x[odd + 1] = -7;
            RealRange wanted{5, 6};
            for (const float number : x)
                if (!std::isnan(number))
                    wanted = {std::min(wanted.least, number), std::max(wanted.most, number)};
            RealRange range{5, 6};
            include(x, range);
            CAPTURE(count, odd);
            CHECK(range.least == wanted.least);
            CHECK(range.most == wanted.most);
        }
}

TEST_CASE("numbers become codes, halves away from zero, NaN the first one", "[int8]")
{
    const float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> x{0,       0.5F,   -0.5F, 1.5F,        0.49999997F, -0.49999997F, 254.5F,
                         255.5F,  1e9F,   -1e9F, 8388607.5F,  infinity,    -infinity,    NAN,
                         8388609, 126.5F, -3,    4194303.75F, 1e-40F,      3e38F};
    std::mt19937 random(9);
    std::uniform_real_distribution<float> any(-3, 300);
    while (x.size() < 203)
        x.push_back(any(random));
    for (const CodeRange range : {CodeRange{0, 255}, {-127, 128}, {-1, 2}, {-1e-3F, 5e-3F}}) {
        const Code<std::uint8_t> code(range);
        std::vector<std::uint8_t> codes(x.size());
        std::vector<std::uint8_t> wanted(x.size());
        quantize(x, code.scale(), code.offset(), codes.data());
        for (std::size_t i = 0; i < x.size(); ++i)
            wanted[i] = code(x[i]);
        CAPTURE(range.min, range.max);
        CHECK(codes == wanted);
    }
}

TEST_CASE("codes become the numbers that the arithmetic of one gives", "[int8]")
{
    for (const CodeRange range : {CodeRange{0, 255}, {-127, 128}, {-1.3F, 2.1F}, {-1e-3F, 5e-38F}})
        for (const std::size_t count : counts) {
            const Real<std::uint8_t> real(range);
            std::vector<std::uint8_t> codes(count);
            std::vector<float> wanted(count);
            for (std::size_t i = 0; i < count; ++i) {
                codes[i] = std::uint8_t(i * 37 + i / 7);
                wanted[i] = real(codes[i]);
            }
            std::vector<float> made(count);
            dequantize(codes, real.bias(), real.step(), made.data());
            CAPTURE(range.min, range.max, count);
            CHECK(made == wanted);
        }
}

TEST_CASE("codes grow with the sums where nothing wraps", "[int8]")
{
    CHECK(requantizations[0].growsWithin({-100'000, 100'000}));
    CHECK_FALSE(requantizations[10].growsWithin({-1, 1}));
    CHECK_FALSE(requantizations[11].growsWithin({0, 1}));
    CHECK_FALSE(Requantization{std::int64_t(1) << 40, 0}.growsWithin({0, highest}));
}

} // namespace
} // namespace lapidary::int8
