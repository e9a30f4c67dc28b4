// SPDX-License-Identifier: Apache-2.0
// Gradients of layers: compared with slopes of the forward function, and with bits that TensorFlow
// 1.15.5 computed.
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace lapidary {
namespace {

using Forward = std::function<Value(const Value&)>;

// Numbers of both signs that look random, from which the recorded ones were made.
template <class T>
Value scattered(Dims dims, std::int64_t first = 0)
{
    Value value = emptyValue(dtypeOf<T>(), std::move(dims));
    std::int64_t i = first;
    for (T& element : value.template mutableAs<T>())
        element = T(float(i++ * 7919 % 1009 - 504) / 97.0F);
    return value;
}

template <class T>
std::vector<double> numbersOf(const Result<Value>& value)
{
    REQUIRE(value.ok());
    std::vector<double> numbers;
    for (const T element : value->as<T>())
        numbers.push_back(double(wide(element)));
    return numbers;
}

double weightedSum(const Value& y, const Value& weights)
{
    const auto a = y.as<double>();
    const auto b = weights.as<double>();
    REQUIRE(a.size() == b.size());
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// The gradient must be the slope of sum(weights forward(x)) along each element of x.
void expectSlopes(const Value& x, const Value& weights, const Forward& forward,
                  const Result<Value>& gradient)
{
    REQUIRE(gradient.ok());
    REQUIRE(gradient->dims() == x.dims());
    const double step = 1e-4;
    const std::vector<double> elements = elementsOf<double>(x);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        std::vector<double> moved = elements;
        moved[i] += step;
        const double more = weightedSum(forward(valueOf<double>(x.dims(), moved)), weights);
        moved[i] -= 2 * step;
        const double less = weightedSum(forward(valueOf<double>(x.dims(), moved)), weights);
        const double slope = (more - less) / (2 * step);
        INFO("element " << i);
        CHECK(std::abs(gradient->as<double>()[i] - slope) <= 1e-6 * std::max(1.0, std::abs(slope)));
    }
}

Value shapeOf(const Value& value)
{
    std::vector<std::int32_t> sizes(value.dims().begin(), value.dims().end());
    return valueOf<std::int32_t>({std::int64_t(sizes.size())}, sizes);
}

NodeAttrs windows(const Dims& ksize, const Dims& strides, const char* padding)
{
    NodeAttrs attrs{{"strides", attr::fromInts(strides)}, {"padding", attr::fromString(padding)}};
    if (!ksize.empty())
        attrs.emplace_back("ksize", attr::fromInts(ksize));
    return attrs;
}

} // namespace

TEST_CASE("gradients of convolutions are slopes", "[convolution][gradient]")
{
    const Value x = scattered<double>({2, 5, 6, 3});
    const Value filter = scattered<double>({3, 2, 3, 2}, 7);
    std::vector<NodeAttrs> kinds{
        windows({}, {1, 2, 2, 1}, "SAME"), windows({}, {1, 1, 2, 1}, "VALID"),
        windows({}, {1, 3, 1, 1}, "SAME"), windows({}, {1, 2, 1, 1}, "EXPLICIT")};
    kinds.back().emplace_back("explicit_paddings", attr::fromInts({0, 0, 2, 1, 0, 3, 0, 0}));
    for (const NodeAttrs& attrs : kinds) {
        const auto y = runOne("Conv2D", {x, filter}, attrs);
        REQUIRE(y.ok());
        const Value weights = scattered<double>(y->dims(), 3);
        expectSlopes(
            filter, weights,
            [&](const Value& moved) {
                return runOne("Conv2D", {x, moved}, attrs).value();
            },
            runOne("Conv2DBackpropFilter", {x, shapeOf(filter), weights}, attrs));
        expectSlopes(
            x, weights,
            [&](const Value& moved) {
                return runOne("Conv2D", {moved, filter}, attrs).value();
            },
            runOne("Conv2DBackpropInput", {shapeOf(x), filter, weights}, attrs));
    }
    const NodeAttrs plain = windows({}, {1, 1, 1, 1}, "SAME");
    const auto fails = [&](const Dims& data, const std::vector<std::int32_t>& sizes,
                           const Dims& back) {
        const auto y = runOne("Conv2DBackpropFilter",
                              {scattered<float>(data),
                               valueOf<std::int32_t>({std::int64_t(sizes.size())}, sizes),
                               scattered<float>(back)},
                              plain);
        return !y.ok() && y.error().message.starts_with("y: ");
    };
    CHECK(fails({1, 3, 3, 2}, {2, 2, 3, 1}, {1, 3, 3, 1}));
    CHECK(fails({1, 3, 3, 2}, {2, 2, 2, 1}, {1, 3, 2, 1}));
    CHECK(fails({1, 3, 3, 2}, {2, 2, 2, 1}, {2, 3, 3, 1}));
    CHECK(fails({1, 3, 3, 2}, {2, 2, 2, 5}, {1, 3, 3, 1}));
    CHECK(fails({1, 3, 3, 2}, {2, 2, 2}, {1, 3, 3, 1}));
    CHECK(fails({1, 3, 3, 2}, {-2, 2, 2, 1}, {1, 3, 3, 1}));
    CHECK(!fails({0, 3, 3, 2}, {2, 2, 2, 1}, {0, 3, 3, 1})); // zeros
}

TEST_CASE("gradients of pooling are slopes", "[nn][gradient]")
{
    const Value x = scattered<double>({2, 5, 6, 3});
    for (const NodeAttrs& attrs :
         {windows({1, 2, 2, 1}, {1, 2, 2, 1}, "VALID"), windows({1, 3, 2, 1}, {1, 1, 2, 1}, "SAME"),
          windows({1, 1, 3, 1}, {1, 2, 2, 1}, "SAME")}) {
        for (const char* op : {"MaxPool", "AvgPool"}) {
            INFO(op);
            const auto forward = [&](const Value& moved) {
                return runOne(op, {moved}, attrs).value();
            };
            const Value y = forward(x);
            const Value weights = scattered<double>(y.dims(), 3);
            const bool isMax = std::string_view(op) == "MaxPool";
            expectSlopes(x, weights, forward,
                         isMax ? runOne("MaxPoolGrad", {x, y, weights}, attrs)
                               : runOne("AvgPoolGrad", {shapeOf(x), weights}, attrs));
        }
    }
    const NodeAttrs attrs = windows({1, 2, 2, 1}, {1, 2, 2, 1}, "VALID");
    const Value small = scattered<float>({1, 4, 4, 1});
    const Value pooled = scattered<float>({1, 2, 2, 1});
    CHECK(runOne("MaxPoolGrad", {small, pooled, pooled}, attrs).ok());
    CHECK(!runOne("MaxPoolGrad", {small, small, pooled}, attrs).ok());
    CHECK(!runOne("MaxPoolGrad", {small, pooled, small}, attrs).ok());
    CHECK(!runOne("AvgPoolGrad", {shapeOf(pooled), small}, attrs).ok());
    CHECK(!runOne("AvgPoolGrad", {valueOf<std::int32_t>({4}, {1, -4, -4, 1}), pooled}, attrs).ok());
    const Value four = valueOf<std::int32_t>({4}, {1, 2, 2, 1});
    const NodeAttrs valid{{"padding", attr::fromString("VALID")}};
    CHECK(numbersOf<float>(runOne("MaxPoolGradV2", {small, pooled, pooled, four, four}, valid)) ==
          numbersOf<float>(runOne("MaxPoolGrad", {small, pooled, pooled}, attrs)));
}

TEST_CASE("gradients of pooling are TensorFlow's where numbers are equal, NaN or half",
          "[nn][gradient]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const Value x = valueOf<float>(
        {1, 4, 4, 1}, {1, 3, 3, nan, 5, nan, 2, 2, 7, 7, 7, 7, -1, infinity, 0, infinity});
    const auto back = [&](std::int64_t window, std::int64_t stride) {
        const NodeAttrs attrs = windows({1, window, window, 1}, {1, stride, stride, 1}, "SAME");
        const Value y = scattered<float>({1, 4 / stride, 4 / stride, 1});
        return numbersOf<float>(runOne("MaxPoolGrad", {x, y, y}, attrs));
    };
    CHECK(back(2, 2) == std::vector<double>{0, 0, 0x1.d07eaep+1, 0, -0x1.4c893cp+2, 0, 0, 0, 0, 0,
                                            0, 0, 0, 0x1.069912p+1, 0, 0x1.e59bb6p-2});
    CHECK(back(3, 1) == std::vector<double>{0, 0x1.069912p+1, 0x1.e59bb6p-2, 0, -0x1.912794p+0,
                                            -0x1.51d07ep-3, 0, 0, -0x1.e449e4p+1, -0x1.107eaep+2,
                                            0x1.2449e6p+2, 0, 0, 0x1.d07e8p-4, 0, 0x1.376c3p-1});
    CHECK(numbersOf<Half>(
              runOne("AvgPoolGrad",
                     {valueOf<std::int32_t>({4}, {1, 4, 5, 2}), scattered<Half>({1, 2, 3, 2})},
                     windows({1, 3, 3, 1}, {1, 2, 2, 1}, "SAME"))) ==
          std::vector<double>{-0x1.bb4p-1, 0x1.358p-1, -0x1.468p-1, 0x1.508p-1,  0x1.d28p-3,
                              0x1.af8p-5,  0x1.68p-5,  -0x1.934p-2, -0x1.788p-3, -0x1.c94p-2,
                              -0x1.bb4p-1, 0x1.358p-1, -0x1.468p-1, 0x1.508p-1,  0x1.d28p-3,
                              0x1.af8p-5,  0x1.68p-5,  -0x1.934p-2, -0x1.788p-3, -0x1.c94p-2,
                              -0x1.eep+0,  0x1.bfp+0,  -0x1.344p+0, 0x1.048p+1,  0x1.73cp-1,
                              0x1.27p-2,   0x1.008p-1, -0x1.3p-1,   -0x1.cdp-3,  -0x1.c38p-1,
                              -0x1.108p+0, 0x1.244p+0, -0x1.22p-1,  0x1.608p+0,  0x1.fe4p-2,
                              0x1.e2p-3,   0x1.d4p-2,  -0x1.9ap-3,  -0x1.51cp-5, -0x1.bep-2});
}

TEST_CASE("the gradient of a fused normalization is the slope, and TensorFlow's", "[nn][gradient]")
{
    const Value x = scattered<float>({2, 2, 2, 2});
    const Value dy = scattered<float>({2, 2, 2, 2}, 50);
    const Value scale = valueOf<float>({2}, {0.5F, 2});
    const Value none = valueOf<float>({0}, {0});
    const auto forward = runNode("FusedBatchNorm", {x, scale, scale, none, none},
                                 {{"epsilon", attr::fromFloat(0.001F)}});
    REQUIRE(forward.ok());
    const auto near = [](const Value& value, const std::vector<double>& expected) {
        const auto numbers = numbersOf<float>(value);
        REQUIRE(numbers.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            CHECK(std::abs(numbers[i] - expected[i]) <=
                  2e-6 * std::max(1.0, std::abs(expected[i])));
    };
    const std::vector<double> sums{-0x1.7966eap+0, -0x1.d86992p+1};
    for (const char* op : {"FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3"})
        for (const bool trains : {true, false}) {
            INFO(op << trains);
            std::vector<Value> inputs{dy, x, scale, (*forward)[3], (*forward)[4]};
            if (std::string_view(op).ends_with("V3"))
                inputs.push_back(none);
            const auto y = runNode(
                op, inputs,
                {{"epsilon", attr::fromFloat(0.001F)}, {"is_training", attr::fromBool(trains)}});
            REQUIRE(y.ok());
            near((*y)[0], trains
                              ? std::vector<double>{-0x1.736c5cp-2, -0x1.57217ep-2, -0x1.c2b828p-2,
                                                    0x1.bdd6ep+1, 0x1.0375d2p-1, 0x1.fc0ef2p-2,
                                                    -0x1.4eadcep-3, 0x1.1b3c1ap-1, -0x1.ed456p-3,
                                                    -0x1.3785f8p+1, 0x1.69808ep-1, 0x1.626a2ap+0,
                                                    0x1.25f47ap-5, -0x1.9a3fd6p+0, -0x1.5469ccp-5,
                                                    -0x1.8ba586p+0}
                              : std::vector<double>{
                                    -0x1.0d253p-3, -0x1.95bf6cp+0, -0x1.3e611p-1, 0x1.94056ap+1,
                                    0x1.027a58p-1, 0x1.17b4fap+0, 0x1.d8a534p-7, -0x1.f141bcp-1,
                                    -0x1.e76a5ep-2, -0x1.847b5cp+1, 0x1.4d263ap-1, 0x1.b4d388p+0,
                                    0x1.4839d6p-3, -0x1.6e0946p-2, -0x1.52129cp-2, -0x1.35ec16p+1});
            near((*y)[1], {-0x1.2dcdacp+3, -0x1.5e124ap+3});
            near((*y)[2], sums);
            CHECK(((*y)[3].isScalar() && (*y)[4].isScalar()));
            CHECK((*y)[3].as<float>()[0] == 0);
        }
    CHECK(!runNode("FusedBatchNormGrad", {dy, scattered<float>({2, 2, 4, 1}), scale, scale, scale})
               .ok());
    CHECK(!runNode("FusedBatchNormGrad", {dy, x, scale, valueOf<float>({3}, {1}), scale}).ok());
}

TEST_CASE("BiasAddGrad of NCHW has TensorFlow's last digits", "[nn][gradient]")
{
    const NodeAttrs first{{"data_format", attr::fromString("NCHW")}};
    CHECK(numbersOf<float>(runOne("BiasAddGrad", {scattered<float>({2, 3, 5, 7})}, first)) ==
          std::vector<double>{0x1.b61a68p+1, 0x1.11d07cp+3, -0x1.c741f8p+2});
    CHECK(numbersOf<float>(runOne("BiasAddGrad", {scattered<float>({1, 2, 91, 91})}, first)) ==
          std::vector<double>{0x1.b6c42cp+2, 0x1.a103ap-1});
    CHECK(numbersOf<Half>(runOne("BiasAddGrad", {scattered<Half>({2, 3, 5, 31})}, first)) ==
          std::vector<double>{0x1.508p+2, -0x1.7c8p+2, 0x1.d78p+1});
    CHECK(numbersOf<BFloat16>(runOne("BiasAddGrad", {scattered<BFloat16>({2, 3, 5, 7})}, first)) ==
          std::vector<double>{0x1.b4p+1, 0x1.14p+3, -0x1.c6p+2});
    CHECK(numbersOf<BFloat16>(runOne("BiasAddGrad", {scattered<BFloat16>({2, 5, 7, 3})})) ==
          std::vector<double>{0x1.dap+3, -0x1.88p+3, 0x1.1p+1});
    Value thirds = scattered<double>({2, 3, 5, 7});
    for (double& element : thirds.mutableAs<double>())
        element /= 3;
    CHECK(numbersOf<double>(runOne("BiasAddGrad", {thirds}, first)) ==
          std::vector<double>{0x1.2411962955551p+0, 0x1.6d15fbb155558p+1, -0x1.2f815068p+1});
}

TEST_CASE("gradients of sparse segments give rows back", "[segment][gradient]")
{
    const Value grad = scattered<float>({3, 2});
    const auto back = [&](const char* op, const std::vector<std::int32_t>& to,
                          const std::vector<std::int32_t>& from, std::int32_t rows) {
        return runOne(op,
                      {grad, valueOf<std::int32_t>({std::int64_t(to.size())}, to),
                       valueOf<std::int32_t>({std::int64_t(from.size())}, from), scalarOf(rows)});
    };
    CHECK(numbersOf<float>(back("SparseSegmentMeanGrad", {0, 2, 2, 4}, {0, 0, 2, 2}, 6)) ==
          std::vector<double>{-0x1.4c893cp+1, 0x1.d07eaep+0, 0, 0, -0x1.93224ep+1, 0x1.e59bb8p-2, 0,
                              0, -0x1.1a644ap-1, -0x1.5717cp+0, 0, 0});
    CHECK(numbersOf<float>(back("SparseSegmentSqrtNGrad", {0, 2, 2, 4}, {0, 0, 2, 2}, 6)) ==
          std::vector<double>{-0x1.d646eap+1, 0x1.48728cp+1, 0, 0, -0x1.1d0f0cp+2, 0x1.57607cp-1, 0,
                              0, -0x1.8f5cbcp-1, -0x1.e534dap+0, 0, 0});
    CHECK(numbersOf<float>(back("SparseSegmentMeanGrad", {}, {}, 1)) == std::vector<double>{0, 0});
    CHECK(!back("SparseSegmentMeanGrad", {6}, {0}, 6).ok());
    CHECK(!back("SparseSegmentMeanGrad", {-1}, {0}, 6).ok());
    CHECK(!back("SparseSegmentMeanGrad", {0}, {3}, 6).ok());
    CHECK(!back("SparseSegmentMeanGrad", {0, 1}, {0}, 6).ok());
    CHECK(!back("SparseSegmentMeanGrad", {}, {}, -1).ok());
}

} // namespace lapidary
