// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <functional>
#include <limits>

namespace lapidary {
namespace {

using Function = std::function<double(double)>;

// The gradient op of a function and its inputs: the output y before dy, or dy before the function's
// input or output.
struct GradientCase {
    const char* op;
    Function function;
    bool takesOutput;
    bool gradientFirst;
};

double alphaOf(double x)
{
    return x > 0 ? x : 0.2 * x;
}

double seluOf(double x)
{
    return x < 0 ? 1.7580993408473768 * (std::exp(x) - 1) : 1.0507009873554805 * x;
}

const GradientCase gradientCases[] = {
    {"TanhGrad", [](double x) { return std::tanh(x); }, true, false},
    {"SigmoidGrad", [](double x) { return 1 / (1 + std::exp(-x)); }, true, false},
    {"ReciprocalGrad", [](double x) { return 1 / x; }, true, false},
    {"InvGrad", [](double x) { return 1 / x; }, true, false},
    {"SqrtGrad", [](double x) { return std::sqrt(x); }, true, false},
    {"RsqrtGrad", [](double x) { return 1 / std::sqrt(x); }, true, false},
    {"SoftplusGrad", [](double x) { return std::log1p(std::exp(x)); }, false, true},
    {"SoftsignGrad", [](double x) { return x / (std::abs(x) + 1); }, false, true},
    {"EluGrad", [](double x) { return x < 0 ? std::exp(x) - 1 : x; }, true, true},
    {"SeluGrad", seluOf, true, true},
    {"ReluGrad", [](double x) { return std::max(x, 0.0); }, false, true},
    {"Relu6Grad", [](double x) { return std::min(std::max(x, 0.0), 6.0); }, false, true},
    {"LeakyReluGrad", alphaOf, false, true},
};

double computed(const GradientCase& c, double x, double dy)
{
    const Value at = scalarOf(c.takesOutput ? c.function(x) : x);
    const Value back = scalarOf(dy);
    const auto z = runOne(c.op, c.gradientFirst ? std::vector{back, at} : std::vector{at, back});
    REQUIRE(z.ok());
    return z->as<double>()[0];
}

} // namespace

TEST_CASE("gradients are the slopes of their functions", "[elementwise][gradient]")
{
    for (const GradientCase& c : gradientCases)
        for (const double x : {-2.5, -0.7, -0.01, 0.02, 0.9, 3.0, 7.5}) {
            const std::string_view op = c.op;
            if (x < 0 && (op == "SqrtGrad" || op == "RsqrtGrad"))
                continue;
            CAPTURE(c.op, x);
            const double step = 1e-5;
            const double slope = (c.function(x + step) - c.function(x - step)) / (2 * step);
            CHECK(std::abs(computed(c, x, -1.5) + 1.5 * slope) <=
                  1e-5 * std::max(1.0, std::abs(slope)));
        }
}

TEST_CASE("gradients at special numbers are those of TensorFlow", "[elementwise][gradient]")
{
    const float infinity = std::numeric_limits<float>::infinity();
    const auto of = [](const char* op, float a, float b) {
        return runOne(op, {scalarOf(a), scalarOf(b)}).value().as<float>()[0];
    };
    // A gradient of 0 stays 0 for any output.
    for (const char* op : {"SqrtGrad", "RsqrtGrad", "ReciprocalGrad"}) {
        CHECK(of(op, infinity, 0.0F) == 0);
        CHECK(of(op, std::nanf(""), 0.0F) == 0);
    }
    CHECK(of("SqrtGrad", 0, 1) == infinity);
    CHECK(std::isnan(of("TanhGrad", infinity, 0.0F)));
    // A product with a slope of 0.
    CHECK(std::isnan(of("ReluGrad", infinity, -1)));
    CHECK(std::isnan(of("Relu6Grad", infinity, 6)));
    CHECK(of("EluGrad", infinity, std::nanf("")) == infinity);
}

TEST_CASE("gradients round halves step by step, conjugate and refuse other shapes",
          "[elementwise][gradient]")
{
    const auto half = runOne("SqrtGrad", {scalarOf(Half(-0.2494F)), scalarOf(Half(1.752F))});
    REQUIRE(half.ok());
    CHECK(float(half->as<Half>()[0]) == float(Half(-3.5140F)));
    const auto complex =
        runOne("RsqrtGrad", {scalarOf(Complex64(0, -0.5F)), scalarOf(Complex64(1, 1))});
    REQUIRE(complex.ok());
    CHECK(complex->as<Complex64>()[0] == Complex64(-0.0625F, 0.0625F));
    const auto ints = runOne("ReluGrad", {valueOf<std::int32_t>({3}, {5, 6, 7}),
                                          valueOf<std::int32_t>({3}, {-1, 0, 2})});
    REQUIRE(ints.ok());
    CHECK(elementsOf<std::int32_t>(*ints) == std::vector<std::int32_t>{0, 0, 7});
    CHECK(runOne("TanhGrad", {valueOf<float>({0, 2}, {1}), valueOf<float>({0, 2}, {1})}).ok());
    const auto odd = runOne("TanhGrad", {valueOf<float>({4}, {1}), valueOf<float>({1}, {1})});
    REQUIRE(!odd.ok());
    CHECK(odd.error().message.find("[4] and [1]") != std::string::npos);
}

TEST_CASE("BiasAddGrad sums everything but the channels", "[nn][gradient]")
{
    const Value x = valueOf<float>({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    CHECK(elementsOf<float>(runOne("BiasAddGrad", {x}).value()) == std::vector<float>{22, 26, 30});
    const NodeAttrs first{{"data_format", attr::fromString("NCHW")}};
    CHECK(elementsOf<float>(runOne("BiasAddGrad", {x}, first).value()) ==
          std::vector<float>{30, 48});
    CHECK(elementsOf<float>(runOne("BiasAddGrad", {valueOf<float>({0, 2}, {1})}).value()) ==
          std::vector<float>{0, 0});
    CHECK(!runOne("BiasAddGrad", {valueOf<float>({3}, {1})}).ok());
}

} // namespace lapidary
