// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

NodeAttrs window(std::int64_t size, std::int64_t stride, const char* padding)
{
    return {{"ksize", attr::fromInts({1, size, size, 1})},
            {"strides", attr::fromInts({1, stride, stride, 1})},
            {"padding", attr::fromString(padding)}};
}

TEST_CASE("padding takes no part in pooling", "[pooling]")
{
    const Value x = rampOf<float>({1, 3, 3, 1}, -9);
    CHECK(elementsOf<float>(runOne("MaxPool", {x}, window(2, 2, "SAME")).value()) ==
          std::vector<float>{-5, -4, -2, -1});
    CHECK(elementsOf<float>(runOne("AvgPool", {x}, window(2, 2, "SAME")).value()) ==
          std::vector<float>{-7, -5.5F, -2.5F, -1});
    CHECK(runOne("AvgPool", {x}, window(2, 2, "VALID")).value().dims() == Dims{1, 1, 1, 1});
}

TEST_CASE("the largest element's place is the first one", "[pooling]")
{
    const Value x = valueOf<std::int32_t>({1, 2, 2, 2}, {5, 1, 5, 9, 2, 9, 5, 0});
    const auto y = runNode("MaxPoolWithArgmax", {x}, window(2, 1, "VALID"));
    REQUIRE(y.ok());
    CHECK(elementsOf<std::int32_t>((*y)[0]) == std::vector<std::int32_t>{5, 9});
    CHECK(elementsOf<std::int64_t>((*y)[1]) == std::vector<std::int64_t>{0, 3});
}

TEST_CASE("a window or stride beyond any input is an error", "[pooling]")
{
    const Value x = rampOf<float>({1, 3, 3, 1});
    for (const std::int64_t size :
         {std::int64_t(1) << 41, std::numeric_limits<std::int64_t>::max()})
        for (const char* padding : {"SAME", "VALID"}) {
            CHECK_FALSE(runOne("AvgPool", {x}, window(size, 1, padding)).ok());
            CHECK_FALSE(runOne("AvgPool", {x}, window(1, size, padding)).ok());
        }
}

TEST_CASE("NaN never wins in MaxPool and always in AvgPool", "[pooling]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Value x = valueOf<float>({1, 2, 2, 1}, {nan, 1, 2, 3});
    CHECK(elementsOf<float>(runOne("MaxPool", {x}, window(2, 1, "VALID")).value())[0] == 3);
    CHECK(std::isnan(elementsOf<float>(runOne("AvgPool", {x}, window(2, 1, "VALID")).value())[0]));
}

TEST_CASE("wrong windows are refused", "[pooling]")
{
    const Value x = rampOf<float>({1, 3, 3, 4});
    for (const char* op : {"MaxPool", "AvgPool", "MaxPoolWithArgmax"}) {
        CHECK_FALSE(runOne(op, {x}, window(0, 1, "SAME")).ok());
        CHECK_FALSE(runOne(op, {x}, window(2, 0, "SAME")).ok());
        CHECK_FALSE(runOne(op, {x}, window(9, 1, "VALID")).ok());
        CHECK_FALSE(runOne(op, {x}, window(2, 1, "EXPLICIT")).ok());
        CHECK_FALSE(runOne(op, {rampOf<float>({3, 3, 4})}, window(2, 1, "SAME")).ok());
    }
    CHECK_FALSE(runOne("MaxPoolV2",
                       {x, valueOf<std::int32_t>({3}, {1}), valueOf<std::int32_t>({4}, {1})},
                       {{"padding", attr::fromString("SAME")}})
                    .ok());
}

TEST_CASE("BiasAdd adds along the channels of either layout", "[bias_add]")
{
    const Value bias = valueOf<float>({2}, {10, 20});
    CHECK(elementsOf<float>(runOne("BiasAdd", {rampOf<float>({2, 2}), bias}).value()) ==
          std::vector<float>{10, 21, 12, 23});
    CHECK(elementsOf<float>(runOne("BiasAdd", {rampOf<float>({1, 2, 2}), bias},
                                   {{"data_format", attr::fromString("NCHW")}})
                                .value()) == std::vector<float>{10, 11, 22, 23});
    CHECK(runOne("BiasAdd", {emptyValue(DType::Float, {0, 2}), bias}).ok());
    CHECK_FALSE(runOne("BiasAdd", {rampOf<float>({2, 3}), bias}).ok());
    CHECK_FALSE(runOne("BiasAdd", {rampOf<float>({2}), bias}).ok());
}

TEST_CASE("softmax adds up to one, far from overflow too", "[softmax]")
{
    for (const std::int64_t size : {1, 13, 127}) {
        const auto y =
            elementsOf<float>(runOne("Softmax", {rampOf<float>({2, size}, 900)}).value());
        double sum = 0;
        for (const float value : y)
            sum += double(value);
        CHECK(sum == Approx(2));
    }
    CHECK(runOne("Softmax", {emptyValue(DType::Float, {2, 0})}).ok());
    CHECK_FALSE(runOne("Softmax", {scalarOf(1.0F)}).ok());
    CHECK(elementsOf<float>(runOne("LogSoftmax", {valueOf<float>({2}, {0})}).value())[0] ==
          Approx(-std::log(2.0)));
}

TEST_CASE("softmax agrees with its definition at every length", "[softmax]")
{
    for (const std::int64_t n : {1, 13, 15, 16, 17, 33, 127}) {
        const Value x = rampOf<float>({2, n}, -3, 0.11);
        const auto y = runOne("Softmax", {x});
        REQUIRE(y.ok());
        for (std::int64_t row = 0; row < 2; ++row) {
            const auto in = x.as<float>().subspan(std::size_t(row * n), std::size_t(n));
            double sum = 0;
            for (const float element : in)
                sum += std::exp(double(element));
            for (std::size_t i = 0; i < in.size(); ++i)
                CHECK(double(y->as<float>()[std::size_t(row * n) + i]) ==
                      Approx(std::exp(double(in[i])) / sum).epsilon(2e-6));
        }
    }
    Value x = rampOf<float>({2, 20});
    x.mutableAs<float>()[18] = std::numeric_limits<float>::quiet_NaN();
    x.mutableAs<float>()[21] = -std::numeric_limits<float>::infinity();
    const auto y = elementsOf<float>(runOne("Softmax", {x}).value());
    CHECK(std::all_of(y.begin(), y.begin() + 20, [](float v) { return std::isnan(v); }));
    CHECK(std::none_of(y.begin() + 20, y.end(), [](float v) { return std::isnan(v); }));
    CHECK(y[21] == 0);
}

TEST_CASE("a batch norm in training uses the statistics of its batch", "[fused_batch_norm]")
{
    constexpr float epsilon = 0.001F;
    for (const std::int64_t channels : {1, 3, 4, 13, 16, 23, 36}) {
        const Value x = rampOf<float>({2, 3, 5, channels}, -1, 0.013);
        const Value scale = rampOf<float>({channels}, 1, 0.1);
        const Value offset = rampOf<float>({channels}, -2, 0.2);
        const Value none = valueOf<float>({0}, {});
        const auto all =
            runNode("FusedBatchNorm", {x, scale, offset, none, none},
                    {{"is_training", attr::fromBool(true)}, {"epsilon", attr::fromFloat(epsilon)}});
        REQUIRE(all.ok());
        const auto in = x.as<float>();
        const auto y = (*all)[0].as<float>();
        const auto step = std::size_t(channels);
        for (std::size_t c = 0; c < step; ++c) {
            double mean = 0;
            double variance = 0;
            for (std::size_t i = c; i < in.size(); i += step)
                mean += double(in[i]) / 30;
            for (std::size_t i = c; i < in.size(); i += step)
                variance += (double(in[i]) - mean) * (double(in[i]) - mean) / 30;
            CHECK(double((*all)[1].as<float>()[c]) == Approx(mean).margin(1e-6));
            CHECK(double((*all)[2].as<float>()[c]) == Approx(variance * 30 / 29));
            for (std::size_t i = c; i < in.size(); i += step)
                CHECK(double(y[i]) ==
                      Approx((double(in[i]) - mean) / std::sqrt(variance + double(epsilon)) *
                                 double(scale.as<float>()[c]) +
                             double(offset.as<float>()[c]))
                          .epsilon(1e-5)
                          .margin(1e-5));
        }
    }
}

TEST_CASE("batch norms check the lengths of their vectors", "[fused_batch_norm]")
{
    const Value x = rampOf<float>({1, 1, 2, 2});
    const Value two = valueOf<float>({2}, {1});
    const NodeAttrs attrs{{"is_training", attr::fromBool(false)}, {"epsilon", attr::fromFloat(0)}};
    const auto y = runNode("FusedBatchNorm", {x, two, two, two, two}, attrs);
    REQUIRE(y.ok());
    CHECK(elementsOf<float>((*y)[0]) == std::vector<float>{0, 1, 2, 3});
    for (std::size_t i = 1; i < 5; ++i) {
        std::vector<Value> inputs{x, two, two, two, two};
        inputs[i] = valueOf<float>({3}, {1});
        CHECK_FALSE(runNode("FusedBatchNorm", inputs, attrs).ok());
    }
}

TEST_CASE("a batch norm of TensorFlow 2 takes volumes", "[fused_batch_norm]")
{
    const Value volume = rampOf<float>({1, 1, 2, 2, 2});
    const Value two = valueOf<float>({2}, {1});
    const auto normalized = [&](const char* op, const char* format) {
        return runNode(op, {volume, two, two, two, two},
                       {{"is_training", attr::fromBool(false)},
                        {"epsilon", attr::fromFloat(0)},
                        {"data_format", attr::fromString(format)}});
    };
    const auto y = normalized("FusedBatchNormV3", "NDHWC");
    INFO((y ? "" : y.error().message));
    REQUIRE(y);
    CHECK(elementsOf<float>((*y)[0]) == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK_FALSE(normalized("FusedBatchNormV3", "NHWC"));
    CHECK_FALSE(normalized("FusedBatchNormV2", "NDHWC"));
}

TEST_CASE("simulated quantization keeps zero", "[fake_quant]")
{
    const Value x = valueOf<float>({3}, {-10, 0, 0.26F});
    const auto y = elementsOf<float>(runOne("FakeQuantWithMinMaxArgs", {x},
                                            {{"min", attr::fromFloat(-1)},
                                             {"max", attr::fromFloat(1)},
                                             {"num_bits", attr::fromInt(2)}})
                                         .value());
    CHECK(y[1] == Approx(0).margin(1e-7));
    CHECK(y[2] == Approx(0).margin(1e-7));
    CHECK(y[0] < -0.5F);
    CHECK_FALSE(
        runOne("FakeQuantWithMinMaxVars", {x, valueOf<float>({2}, {0}), scalarOf(1.0F)}).ok());
}

} // namespace
} // namespace lapidary
