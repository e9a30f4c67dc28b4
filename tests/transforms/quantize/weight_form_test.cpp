// SPDX-License-Identifier: Apache-2.0
// The forms of quantize_weights that the original lacks.
#include "tests/catch.h"
#include "tests/transforms/passes/layered_graphs.h"
#include "tests/transforms/passes/pass_graphs.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

// A layer whose channels are a wave scaled by 1, 1/8, 1/64 and 1/512.
GraphPtr layer(const char* op)
{
    const bool isProduct = std::string_view(op) == "MatMul";
    Floats weights(36);
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = std::sin(float(i)) * std::exp2(-3 * float(i % 4));
    GraphBuilder builder;
    builder.placeholder("x", isProduct ? Dims{2, 9} : Dims{1, 3, 3, op[0] == 'D' ? 2 : 1});
    const Dims dims = isProduct ? Dims{9, 4} : op[0] == 'D' ? Dims{3, 3, 2, 2} : Dims{3, 3, 1, 4};
    return builder.floats("w", dims, weights)
        .node("conv", op, {"x", "w"}, isProduct ? TestAttrs() : same)
        .floats("b", {4}, {0.25F, 0.5F})
        .node("y", "BiasAdd", {"conv", "b"})
        .build();
}

// Returns what a node computes without feeds.
Floats computed(const GraphPtr& graph, const char* node)
{
    Session session(graph, {});
    RunRequest request;
    request.fetches = {node};
    const auto answer = session.run(request, Job());
    REQUIRE(answer.ok());
    const auto values = answer->front().as<float>();
    return {values.begin(), values.end()};
}

GraphPtr quantized(const GraphPtr& graph, const std::string& parameters)
{
    return passed("quantize_weights(minimum_size=36, " + parameters + ")", graph, {"x"}, {"y"});
}

// Returns the largest error of each channel, relative to its largest value.
std::vector<double> channelErrors(const GraphPtr& before, const GraphPtr& after)
{
    const Floats old = floatsOf(before, "w");
    const Floats now = computed(after, "w");
    std::vector<double> errors(4);
    std::vector<double> largest(4);
    for (std::size_t i = 0; i < old.size(); ++i) {
        errors[i % 4] = std::max(errors[i % 4], std::abs(double(old[i]) - double(now[i])));
        largest[i % 4] = std::max(largest[i % 4], std::abs(double(old[i])));
    }
    for (std::size_t k = 0; k < 4; ++k)
        errors[k] /= largest[k];
    return errors;
}

double squaredError(const GraphPtr& before, const GraphPtr& after)
{
    const Floats old = floatsOf(before, "w");
    const Floats now = computed(after, "w");
    double sum = 0;
    for (std::size_t i = 0; i < old.size(); ++i)
        sum += std::pow(double(old[i]) - double(now[i]), 2);
    return sum;
}

} // namespace

TEST_CASE("weights with a scale for each channel lose as little in each", "[passes][weights]")
{
    for (const char* op : {"Conv2D", "DepthwiseConv2dNative", "MatMul"}) {
        INFO(op);
        const GraphPtr before = layer(op);
        const GraphPtr whole = quantized(before, "per_channel=false");
        const GraphPtr after = quantized(before, "per_channel=true");
        CHECK(opOf(whole, "w") == "Dequantize");
        CHECK(inputsOf(after, "w") == "w_unscaled, w_scale");
        CHECK(opOf(after, "w_unscaled") == "Dequantize");
        // Codes are 2/255 of the largest value apart; values are rounded to the nearest one.
        for (const double error : channelErrors(before, after))
            CHECK(error <= 1.01 / 255);
        CHECK(channelErrors(before, whole)[3] > 0.1);
        CHECK(quantized(after, "per_channel=true") == after);
        CHECK(passed("quantize_weights(minimum_size=1)", after, {"x"}, {"y"})
                  ->find("w_scale_quantized_const")
                  .isValid() == false);
    }
    const auto depthwise = quantized(layer("DepthwiseConv2dNative"), "per_channel=true");
    const auto scale = nodeOf(depthwise, "w_scale").tensor();
    REQUIRE(scale.ok());
    CHECK(scale->shape().dims == Dims{2, 2});
}

TEST_CASE("small weights may have 16 bits", "[passes][weights]")
{
    const GraphPtr before = layer("Conv2D");
    for (const char* form : {"small_bits=16", "small_bits=16, per_channel=true"}) {
        const GraphPtr after = quantized(before, form);
        const auto codes = nodeOf(after, "w_quantized_const").tensor();
        REQUIRE(codes.ok());
        CHECK(codes->dtype() == DType::QUInt16);
        CHECK(channelErrors(before, after)[0] < 1.01 / 65535);
        CHECK(computesOther(before, after, {"y"}, 1e-4) == "");
    }
    const GraphPtr large = quantized(before, "small_bits=16, small_size=36");
    CHECK(nodeOf(large, "w_quantized_const").tensor()->dtype() == DType::QUInt8);
}

TEST_CASE("fewer bits use the lowest codes", "[passes][weights]")
{
    const GraphPtr before = layer("Conv2D");
    for (int bits = 2; bits < 8; ++bits) {
        INFO(bits);
        const GraphPtr after = quantized(before, "num_bits=" + std::to_string(bits));
        const auto codes = quantizedValuesOf(after, "w_quantized_const");
        const int highest = (1 << bits) - 1;
        CHECK(*std::ranges::max_element(codes) <= highest);
        CHECK(*std::ranges::max_element(codes) >= highest - 1);
        CHECK(channelErrors(before, after)[0] < 1.5 / highest);
    }
}

TEST_CASE("a shorter range is taken where it is closer", "[passes][weights]")
{
    const GraphPtr before = layer("Conv2D");
    for (const char* rest : {"num_bits=3", "num_bits=3, per_channel=true"}) {
        INFO(rest);
        const double whole = squaredError(before, quantized(before, rest));
        const double shorter =
            squaredError(before, quantized(before, std::string(rest) + ", range=mse"));
        CHECK(shorter <= whole);
    }
    // One value is far from all others.
    Floats values(100, 0.01F);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] *= float(i % 7) - 3;
    values[50] = 0.12F;
    const GraphPtr outlier =
        GraphBuilder().floats("w", {100}, values).node("y", "Relu", {"w"}).build();
    const char* step = "quantize_weights(minimum_size=1, num_bits=2)";
    const char* best = "quantize_weights(minimum_size=1, num_bits=2, range=mse)";
    CHECK(squaredError(outlier, passed(best, outlier, {}, {"y"})) <
          0.5 * squaredError(outlier, passed(step, outlier, {}, {"y"})));
}

TEST_CASE("ignored nodes stay in float, and wrong parameters are named", "[passes][weights]")
{
    const GraphPtr before = layer("Conv2D");
    CHECK(quantized(before, "ignore_node=\"c*v\"") == before);
    CHECK(quantized(before, "ignore_op=Conv2D") == before);
    CHECK(quantized(before, "ignore_op=MatMul") != before);
    CHECK(quantized(before, "only_node=conv") != before);
    CHECK(quantized(before, "only_node=y") == before);
    const auto findings = findPass("quantize_weights")
                              ->find(before,
                                     {{"x"},
                                      {"y"},
                                      [] {
                                          Parameters parameters;
                                          parameters.add("minimum_size", "1");
                                          parameters.add("ignore_op", "BiasAdd");
                                          return parameters;
                                      }()},
                                     Job());
    REQUIRE(findings.ok());
    CHECK(matchesOf(*findings) == 1);
    CHECK(std::ranges::any_of(*findings, [](const Finding& finding) {
        return finding.why == "left in float: ignore_op names BiasAdd";
    }));
    for (const char* wrong : {"range=kl", "num_bits=9", "num_bits=1", "small_bits=12"}) {
        INFO(wrong);
        const auto edit =
            applyPass("quantize_weights(" + std::string(wrong) + ")", before, {"x"}, {"y"});
        REQUIRE_FALSE(edit.ok());
        const std::string name(wrong, std::string_view(wrong).find('='));
        CHECK(edit.error().message.find(name) != std::string::npos);
    }
}

TEST_CASE("channels with weights of 0 keep them", "[passes][weights]")
{
    const GraphPtr before = GraphBuilder()
                                .placeholder("x", {1, 3, 3, 1})
                                .floats("w", {1, 1, 1, 3}, {0.5F, 0, -2})
                                .node("y", "Conv2D", {"x", "w"}, same)
                                .build();
    const GraphPtr after =
        passed("quantize_weights(minimum_size=1, per_channel=true)", before, {"x"}, {"y"});
    checkNear(computed(after, "w"), {0.5F, 0, -2}, 0.005);
    CHECK(computed(after, "w")[1] == 0);
}

} // namespace lapidary
