// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <functional>
#include <limits>

namespace lapidary {
namespace {

// Returns the index of the operand's element that is combined into element `flat` of the output.
std::size_t broadcastIndex(const Dims& output, const Dims& operand, std::size_t flat)
{
    std::size_t index = 0;
    std::size_t step = 1;
    for (std::size_t axis = output.size(); axis-- > 0;) {
        const std::size_t at = flat % std::size_t(output[axis]);
        flat /= std::size_t(output[axis]);
        if (axis + operand.size() < output.size())
            continue;
        const auto size = std::size_t(operand[axis + operand.size() - output.size()]);
        index += (size == 1 ? 0 : at) * step;
        step *= size;
    }
    return index;
}

struct ShapePair {
    Dims x;
    Dims y;
    Dims z;
};

const ShapePair shapePairs[] = {
    {{}, {}, {}},
    {{13}, {}, {13}},
    {{}, {15}, {15}},
    {{127}, {127}, {127}},
    {{5, 13}, {13}, {5, 13}},
    {{13}, {5, 13}, {5, 13}},
    {{5, 1}, {1, 7}, {5, 7}},
    {{3, 4, 1, 5}, {4, 6, 1}, {3, 4, 6, 5}},
    {{2, 1, 2, 1, 2, 1}, {1, 2, 1, 2, 1, 2}, {2, 2, 2, 2, 2, 2}},
    {{0, 3}, {1, 3}, {0, 3}},
    {{1}, {0}, {0}},
};

struct Case {
    const char* op;
    std::function<double(double, double)> reference;
};

const Case cases[] = {
    {"AddV2", std::plus<>()},
    {"Sub", std::minus<>()},
    {"Mul", std::multiplies<>()},
    {"RealDiv", std::divides<>()},
    {"Maximum", [](double x, double y) { return std::max(x, y); }},
    {"Minimum", [](double x, double y) { return std::min(x, y); }},
    {"SquaredDifference", [](double x, double y) { return (x - y) * (x - y); }},
    {"Atan2", [](double x, double y) { return std::atan2(x, y); }},
};

TEST_CASE("binary ops broadcast as the spelt-out rule does", "[elementwise]")
{
    for (const Case& c : cases) {
        for (const ShapePair& shapes : shapePairs) {
            INFO(c.op << " of " << dimsText(shapes.x) << " and " << dimsText(shapes.y));
            const Value x = rampOf<float>(shapes.x, -3.1, 0.7);
            const Value y = rampOf<float>(shapes.y, 0.5, 0.3);
            const auto z = runOne(c.op, {x, y});
            REQUIRE(z.ok());
            REQUIRE(z->dims() == shapes.z);
            const auto got = z->as<float>();
            for (std::size_t i = 0; i < got.size(); ++i) {
                const double a = double(x.as<float>()[broadcastIndex(shapes.z, shapes.x, i)]);
                const double b = double(y.as<float>()[broadcastIndex(shapes.z, shapes.y, i)]);
                CHECK(double(got[i]) == Approx(c.reference(a, b)).epsilon(1e-6).margin(1e-6));
            }
        }
    }
}

TEST_CASE("shapes that do not meet are an error that names both", "[elementwise]")
{
    const auto z = runOne("Mul", {rampOf<float>({2, 3}), rampOf<float>({2})});
    REQUIRE_FALSE(z.ok());
    CHECK(z.error().message.find("[2,3]") != std::string::npos);
    CHECK(z.error().message.find("[2]") != std::string::npos);
}

TEST_CASE("sizes beside a 0 are those of the result", "[elementwise]")
{
    constexpr std::int64_t wide = std::int64_t(1) << 10;
    const Value x = emptyValue(DType::Float, {0, wide, wide});
    const auto z = runOne("Add", {x, scalarOf(1.0F)});
    REQUIRE(z.ok());
    CHECK(z->dims() == x.dims());
    CHECK(runOne("SelectV2", {scalarOf(true), x, x}).ok());
    const auto sum = runOne("Sum", {x, valueOf<std::int32_t>({1}, {0})});
    REQUIRE(sum.ok());
    CHECK(sum->dims() == Dims{wide, wide});
}

TEST_CASE("integer division: towards zero, down, by zero, at the end of the range", "[elementwise]")
{
    using Ints = std::vector<std::int32_t>;
    constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
    const auto both = [](const char* op, const Ints& x, const Ints& y) {
        return elementsOf<std::int32_t>(runOne(op, {valueOf(Dims{std::int64_t(x.size())}, x),
                                                    valueOf(Dims{std::int64_t(y.size())}, y)})
                                            .value());
    };
    CHECK(both("Div", {-7, 7, lowest}, {2, -2, -1}) == Ints{-3, -3, lowest});
    CHECK(both("FloorDiv", {-7, 7, lowest}, {2, -2, 2}) == Ints{-4, -4, lowest / 2});
    CHECK(both("FloorMod", {-7, 7, lowest}, {2, -2, -1}) == Ints{1, -1, 0});
    CHECK(both("TruncateMod", {-7, 7, lowest}, {2, -2, -1}) == Ints{-1, 1, 0});
    for (const char* op : {"Div", "FloorDiv", "Mod", "FloorMod", "TruncateDiv", "TruncateMod"})
        CHECK_FALSE(
            runOne(op, {valueOf<std::int32_t>({2}, {1}), valueOf<std::int32_t>({2}, {1, 0})}).ok());
}

TEST_CASE("NaN: the first operand of Maximum and Minimum; comparisons are false", "[elementwise]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Value x = valueOf<float>({2}, {nan, 0});
    const Value y = valueOf<float>({2}, {0, nan});
    const auto larger = elementsOf<float>(runOne("Maximum", {x, y}).value());
    CHECK(std::isnan(larger[0]));
    CHECK(larger[1] == 0);
    for (const char* op : {"Less", "LessEqual", "Greater", "GreaterEqual", "Equal"})
        CHECK_FALSE(runOne(op, {x, y}).value().as<bool>()[0]);
    CHECK(runOne("NotEqual", {x, x}).value().as<bool>()[0]);
}

TEST_CASE("complex division by zero is NaN, and large divisors do not overflow", "[elementwise]")
{
    const auto quotient = [](Complex64 x, Complex64 y) {
        return runOne("RealDiv", {scalarOf(x), scalarOf(y)}).value().as<Complex64>()[0];
    };
    CHECK(std::isnan(quotient({1, 0}, {0, 0}).real()));
    CHECK(quotient({3e30F, 0}, {1e30F, 0}) == Complex64(3, 0));
    CHECK(std::abs(quotient({2, -1}, {-1, 2}) - Complex64(-0.8F, -0.6F)) < 1e-6F);
}

TEST_CASE("sums of inputs", "[elementwise]")
{
    const Value x = rampOf<float>({2, 3});
    const auto sum = runOne("AddN", {x, x, x});
    REQUIRE(sum.ok());
    CHECK(elementsOf<float>(*sum) == std::vector<float>{0, 3, 6, 9, 12, 15});
    CHECK_FALSE(runOne("AddN", {x, rampOf<float>({3, 2})}).ok());
}

TEST_CASE("clipping, with bounds of both kinds", "[elementwise]")
{
    const Value t = rampOf<float>({2, 3}, -2);
    const auto clip = [&](const Value& low, const Value& high) {
        return elementsOf<float>(runOne("ClipByValue", {t, low, high}).value());
    };
    CHECK(clip(scalarOf(-1.0F), scalarOf(2.0F)) == std::vector<float>{-1, -1, 0, 1, 2, 2});
    CHECK(clip(scalarOf(-1.0F), rampOf<float>({2, 3})) == std::vector<float>{-1, -1, 0, 1, 2, 3});
    CHECK_FALSE(runOne("ClipByValue", {t, rampOf<float>({3}), scalarOf(1.0F)}).ok());
}

TEST_CASE("Select takes elements, slices or all; SelectV2 broadcasts", "[elementwise]")
{
    const Value t = rampOf<float>({2, 2}, 1);
    const Value e = rampOf<float>({2, 2}, -4);
    const auto select = [&](const Value& condition) {
        return elementsOf<float>(runOne("Select", {condition, t, e}).value());
    };
    CHECK(select(scalarOf(true)) == std::vector<float>{1, 2, 3, 4});
    CHECK(select(valueOf<bool>({2}, {false, true})) == std::vector<float>{-4, -3, 3, 4});
    CHECK(select(valueOf<bool>({2, 2}, {true, false})) == std::vector<float>{1, -3, -2, -1});
    CHECK_FALSE(runOne("Select", {valueOf<bool>({3}, {true}), t, e}).ok());
    const auto v2 = runOne(
        "SelectV2", {valueOf<bool>({2, 1}, {true, false}), rampOf<float>({3}, 1), scalarOf(0.0F)});
    REQUIRE(v2.ok());
    CHECK(v2->dims() == Dims{2, 3});
    CHECK(elementsOf<float>(*v2) == std::vector<float>{1, 2, 3, 0, 0, 0});
    const auto strings =
        runOne("SelectV2", {scalarOf(false), stringsOf({1}, {"a"}), stringsOf({2}, {"b", "c"})});
    REQUIRE(strings.ok());
    CHECK(strings->strings()[1] == "c");
}

TEST_CASE("Cast wraps, truncates and saturates nothing", "[elementwise]")
{
    const auto cast = [](const Value& x, DType to) {
        return runOne("Cast", {x}, {{"DstT", attr::fromType(to)}}).value();
    };
    const Value floats = valueOf<float>({4}, {300.7F, -1.9F, 1e20F, 0});
    CHECK(elementsOf<std::uint8_t>(cast(floats, DType::UInt8)) ==
          std::vector<std::uint8_t>{44, 255, 0, 0});
    CHECK(elementsOf<std::int32_t>(cast(floats, DType::Int32)) ==
          std::vector<std::int32_t>{300, -1, std::numeric_limits<std::int32_t>::min(), 0});
    CHECK(elementsOf<bool>(cast(floats, DType::Bool)) ==
          std::vector<bool>{true, true, true, false});
    CHECK(elementsOf<Complex64>(cast(floats, DType::Complex64))[1] == Complex64(-1.9F, 0));
    CHECK_FALSE(
        runOne("Cast", {stringsOf({1}, {"1"})}, {{"DstT", attr::fromType(DType::Float)}}).ok());
}

} // namespace
} // namespace lapidary
