// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/runner/kernels/one_node.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lapidary {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

struct UnaryCase {
    const char* op;
    double (*reference)(double);
    double first = -3; // the tested ramp
    double step = 0.37;
};

double sigmoid(double x)
{
    return 1 / (1 + std::exp(-x));
}

const UnaryCase unaryCases[] = {
    {"Abs", [](double x) { return std::abs(x); }},
    {"Acos", [](double x) { return std::acos(x); }, -1, 0.015},
    {"Acosh", [](double x) { return std::acosh(x); }, 1, 0.4},
    {"Asin", [](double x) { return std::asin(x); }, -1, 0.015},
    {"Asinh", [](double x) { return std::asinh(x); }},
    {"Atan", [](double x) { return std::atan(x); }},
    {"Atanh", [](double x) { return std::atanh(x); }, -0.95, 0.014},
    {"Ceil", [](double x) { return std::ceil(x); }},
    {"Cos", [](double x) { return std::cos(x); }},
    {"Cosh", [](double x) { return std::cosh(x); }, -3, 0.1},
    {"Elu", [](double x) { return x < 0 ? std::exp(x) - 1 : x; }},
    {"Erf", [](double x) { return std::erf(x); }},
    {"Erfc", [](double x) { return std::erfc(x); }, -3, 0.05},
    {"Exp", [](double x) { return std::exp(x); }, -30, 0.5},
    {"Expm1", [](double x) { return std::expm1(x); }, -3, 0.1},
    {"Floor", [](double x) { return std::floor(x); }},
    {"Inv", [](double x) { return 1 / x; }, 0.3, 0.4},
    {"Lgamma", [](double x) { return std::lgamma(x); }, 2.5, 0.4},
    {"Log", [](double x) { return std::log(x); }, 0.2, 0.4},
    {"Log1p", [](double x) { return std::log1p(x); }, -0.9, 0.1},
    {"Neg", [](double x) { return -x; }},
    {"Relu", [](double x) { return x < 0 ? 0 : x; }},
    {"Relu6", [](double x) { return x < 0 ? 0 : std::min(x, 6.0); }},
    {"Rint", [](double x) { return std::nearbyint(x); }},
    {"Round", [](double x) { return std::nearbyint(x); }, -3.5, 0.25},
    {"Rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0.1, 0.7},
    {"Sigmoid", sigmoid, -20, 0.31},
    {"Sin", [](double x) { return std::sin(x); }},
    {"Sinh", [](double x) { return std::sinh(x); }, -3, 0.1},
    {"Softplus", [](double x) { return std::log1p(std::exp(x)); }, -12, 0.3},
    {"Softsign", [](double x) { return x / (1 + std::abs(x)); }},
    {"Sqrt", [](double x) { return std::sqrt(x); }, 0, 0.7},
    {"Square", [](double x) { return x * x; }},
    {"Tan", [](double x) { return std::tan(x); }, -1.4, 0.02},
    {"Tanh", [](double x) { return std::tanh(x); }, -9, 0.15},
};

TEST_CASE("unary ops compute their function, at every length", "[elementwise]")
{
    for (const UnaryCase& c : unaryCases) {
        for (const std::int64_t n : {0, 1, 3, 13, 15, 127}) {
            INFO(c.op << " of " << n);
            const Value x = rampOf<float>({n}, c.first, c.step);
            const auto y = runOne(c.op, {x});
            REQUIRE(y.ok());
            REQUIRE(y->dims() == Dims{n});
            for (std::size_t i = 0; i < std::size_t(n); ++i) {
                const double expected = c.reference(double(x.as<float>()[i]));
                CHECK(double(y->as<float>()[i]) == Approx(expected).epsilon(2e-6).margin(2e-7));
            }
        }
    }
}

TEST_CASE("NaN stays NaN", "[elementwise]")
{
    const Value x = valueOf<float>({9}, {nan});
    for (const char* op : {"Exp", "Log", "Tanh", "Sigmoid", "Relu", "Relu6", "Rsqrt", "Sqrt", "Neg",
                           "Abs", "Softplus", "Elu"}) {
        const auto y = runOne(op, {x});
        REQUIRE(y.ok());
        INFO(op);
        for (const float value : elementsOf<float>(*y))
            CHECK(std::isnan(value));
    }
}

TEST_CASE("a number has one result, wherever in a tensor it is", "[elementwise]")
{
    for (const char* op : {"Exp", "Tanh", "Sigmoid", "Erf", "Rsqrt", "Relu6", "Sqrt", "Floor"}) {
        const Value x = rampOf<float>({41}, -7, 0.37);
        const auto all = elementsOf<float>(runOne(op, {x}).value());
        for (std::size_t i = 0; i < all.size(); ++i) {
            INFO(op << " of " << x.as<float>()[i]);
            const auto alone = runOne(op, {scalarOf(x.as<float>()[i])});
            REQUIRE(alone.ok());
            CHECK(std::bit_cast<std::uint32_t>(alone->as<float>()[0]) ==
                  std::bit_cast<std::uint32_t>(all[i]));
        }
    }
}

TEST_CASE("the ends of the float range", "[elementwise]")
{
    const auto first = [](const char* op, float x) {
        return elementsOf<float>(runOne(op, {valueOf<float>({9}, {x})}).value())[0];
    };
    CHECK(first("Exp", 1000) == inf);
    CHECK(first("Exp", -1000) == 0);
    CHECK(first("Exp", -inf) == 0);
    CHECK(first("Exp", inf) == inf);
    CHECK(first("Exp", 88.5F) == Approx(2.723088e38F));
    CHECK(first("Tanh", 1000) == 1);
    CHECK(first("Tanh", -inf) == -1);
    CHECK(first("Sigmoid", -1000) == 0);
    CHECK(first("Sigmoid", inf) == 1);
    CHECK(first("Rsqrt", inf) == 0);
    CHECK(first("Rsqrt", 0) == inf);
    CHECK(std::isnan(first("Rsqrt", -1)));
    CHECK(first("Sqrt", inf) == inf);
    CHECK(first("Sqrt", 3.4e38F) == Approx(std::sqrt(3.4e38F)));
    CHECK(first("Log", 0) == -inf);
    CHECK(first("Log", 1e-40F) == -inf); // denormals count as zero
}

TEST_CASE("integers wrap, and Abs and Neg of the lowest one stay it", "[elementwise]")
{
    constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
    const Value x = valueOf<std::int32_t>({2}, {lowest, -7});
    CHECK(elementsOf<std::int32_t>(runOne("Abs", {x}).value()) ==
          std::vector<std::int32_t>{lowest, 7});
    CHECK(elementsOf<std::int32_t>(runOne("Neg", {x}).value()) ==
          std::vector<std::int32_t>{lowest, 7});
    CHECK(elementsOf<std::int32_t>(runOne("Square", {x}).value()) ==
          std::vector<std::int32_t>{0, 49});
}

TEST_CASE("half is rounded after each step where the original does so", "[elementwise]")
{
    const auto y = runOne("Selu", {valueOf<Half>({1}, {Half(-6.002188e-05F)})});
    REQUIRE(y.ok());
    CHECK(float(y->as<Half>()[0]) == 0);
}

TEST_CASE("types without a kernel and wrong answer types are errors", "[elementwise]")
{
    CHECK_FALSE(runOne("Exp", {valueOf<std::int32_t>({1}, {1})}).ok());
    CHECK_FALSE(runOne("Invert", {valueOf<float>({1}, {1})}).ok());
    const auto wrong = runOne("Real", {valueOf<Complex64>({1}, {{1, 2}})},
                              {{"Tout", attr::fromType(DType::Double)}});
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().message.starts_with("y: "));
}

TEST_CASE("a result is written into its input only if no other node reads that", "[elementwise]")
{
    Session session(typed(graph(R"(x = Placeholder()
                             a = Add(x, x)
                             r = Relu6(a)
                             e = Exp(r)
                             s = Sub(a, r))")),
                    {});
    for (const std::int64_t n : {1, 13, 127}) {
        const Value x = rampOf<float>({n}, -3, 0.25);
        const auto y = session.run({.feeds = {{"x", x}}, .fetches = {"e", "s"}}, Job());
        REQUIRE(y.ok());
        for (std::size_t i = 0; i < std::size_t(n); ++i) {
            const float a = 2 * x.as<float>()[i];
            const float r = std::clamp(a, 0.0F, 6.0F);
            CHECK((*y)[0].as<float>()[i] == Approx(std::exp(r)));
            CHECK((*y)[1].as<float>()[i] == a - r);
        }
    }
}

TEST_CASE("special functions at known points", "[elementwise]")
{
    const auto at = [](const char* op, std::vector<double> arguments) {
        std::vector<Value> inputs;
        for (const double x : arguments)
            inputs.push_back(valueOf<double>({1}, {x}));
        return runOne(op, inputs).value().as<double>()[0];
    };
    CHECK(at("Digamma", {1}) == Approx(-0.5772156649015329));
    CHECK(at("Igamma", {1, 2}) == Approx(1 - std::exp(-2.0)));
    CHECK(at("Igammac", {1, 2}) == Approx(std::exp(-2.0)));
    // Where P is close to 1, float has few digits of 1 - P.
    const Value small = valueOf<float>({1}, {0.001F});
    CHECK(double(runOne("Igammac", {small, small}).value().as<float>()[0]) ==
          Approx(0.0063123535).epsilon(2e-6));
    CHECK(at("Zeta", {2, 1}) == Approx(1.6449340668482264));
    CHECK(at("Polygamma", {1, 1}) == Approx(1.6449340668482264));
    CHECK(at("Betainc", {2, 3, 0.5}) == Approx(0.6875));
    CHECK(at("BesselI0e", {0}) == Approx(1));
    CHECK(at("BesselI1e", {2}) == Approx(0.21526928924893765));
    CHECK(at("NextAfter", {1, 2}) == 1 + std::numeric_limits<double>::epsilon());
}

TEST_CASE("CheckNumerics says what it found", "[elementwise]")
{
    const NodeAttrs attrs{{"message", attr::fromString("weights")}};
    CHECK(runOne("CheckNumerics", {valueOf<float>({2}, {1, 2})}, attrs).ok());
    const auto both = runOne("CheckNumerics", {valueOf<float>({2}, {inf, nan})}, attrs);
    REQUIRE_FALSE(both.ok());
    CHECK(both.error().message == "y: weights : Tensor had Inf and NaN values");
}

} // namespace
} // namespace lapidary
