// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/layered_graphs.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "transforms/accuracy/autopilot.h"
#include "transforms/accuracy/form_noises.h"
#include "transforms/accuracy/noise_sketch.h"
#include "transforms/accuracy/shortening_steps.h"
#include "transforms/accuracy/weight_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <stop_token>

namespace lapidary {
namespace {

AutopilotOptions smallSearch()
{
    AutopilotOptions options;
    options.probes.count = 2;
    options.seconds = 1000;
    return options;
}

} // namespace

TEST_CASE("the noise of weights is that of the nearest steps", "[accuracy]")
{
    LayerWeights weights;
    weights.outputs = 2;
    weights.values = {1, 0.1F, -0.5F, 0.03F, 0.25F, -0.2F};
    const auto expected = [&](bool isPerChannel, int bits) {
        const std::vector<double> scale =
            isPerChannel ? std::vector<double>{1, double(0.2F)} : std::vector<double>{1, 1};
        double low = 0;
        double high = 0;
        for (std::size_t i = 0; i < weights.values.size(); ++i) {
            low = std::min(low, double(weights.values[i]) / scale[i % 2]);
            high = std::max(high, double(weights.values[i]) / scale[i % 2]);
        }
        std::vector<double> error(2);
        std::vector<double> energy(2);
        for (std::size_t i = 0; i < weights.values.size(); ++i) {
            const double step = (high - low) / (std::pow(2.0, bits) - 1) * scale[i % 2];
            const double rest = std::remainder(double(weights.values[i]), step);
            error[i % 2] += rest * rest;
            energy[i % 2] += double(weights.values[i]) * double(weights.values[i]);
        }
        return std::sqrt((error[0] / energy[0] + error[1] / energy[1]) / 2 * (error[0] + error[1]) /
                         (energy[0] + energy[1]));
    };
    const WeightNoise noise(weights);
    CHECK(noise.of(LayerForm::Tensor8) == Approx(expected(false, 8)));
    CHECK(noise.of(LayerForm::Channel8) == Approx(expected(true, 8)));
    CHECK(noise.of(LayerForm::Tensor16) == Approx(expected(false, 16)));
    CHECK(noise.of(LayerForm::Channel5) == Approx(expected(true, 5)));
    std::ranges::fill(weights.values, 0.0F);
    CHECK(WeightNoise(weights).of(LayerForm::Channel8) == 0);
}

TEST_CASE("noises that were not measured add up to those of files", "[accuracy]")
{
    const auto form = [](LayerForm of, double noise, bool isMeasured) {
        return FormNoise{of, noise, noise, isMeasured};
    };
    std::vector<NoisyLayer> layers(3);
    layers[0].forms = {form(LayerForm::Tensor8, 4, true), form(LayerForm::Tensor16, 1, false)};
    layers[1].forms = {form(LayerForm::Tensor8, 1, false), form(LayerForm::Tensor16, 1, false)};
    layers[2].forms = {form(LayerForm::Tensor8, 3, false), form(LayerForm::Tensor16, 1, false)};
    fitNoises(layers, {1, 1, 1}, 12);
    CHECK(layers[0].forms[0].noise == 4);
    CHECK(layers[1].forms[0].noise == Approx(2));
    CHECK(layers[2].forms[0].noise == Approx(6));
    CHECK(layers[1].forms[1].noise == 1); // in no such file
    fitNoises(layers, {1, 2, 0}, 4.5);
    CHECK(layers[1].forms[1].noise == Approx(0.5));
    fitNoises(layers, {1, 1, 1}, 3); // a smaller loss than the measured ones has no effect
    CHECK(layers[1].forms[0].noise == Approx(2));
}

TEST_CASE("differences of layers add with their signs", "[accuracy]")
{
    std::vector<NoisyLayer> layers(3);
    for (NoisyLayer& layer : layers)
        layer.forms.push_back({LayerForm::Tensor8, 0.25, 0.25, true, {0.3F, 0.4F}});
    CHECK(noiseTogether(layers, {1, 0, 0}) == Approx(0.25));
    CHECK(noiseTogether(layers, {1, 1, 0}) ==
          Approx(1)); // both have the same sign: twice the difference
    layers[1].forms[0].sketch = {-0.3F, -0.4F};
    CHECK(noiseTogether(layers, {1, 1, 0}) == Approx(0).margin(1e-12));
    layers[1].forms[0].sketch = {0.4F, -0.3F};
    CHECK(noiseTogether(layers, {1, 1, 0}) == Approx(0.5));
    layers[2].forms[0] = {LayerForm::Tensor8, 0.125, 0.125, false};
    CHECK(noiseTogether(layers, {1, 1, 1}) == Approx(0.625));
    fitNoises(layers, {1, 1, 1}, 1); // the layers that were not measured explain the rest
    CHECK(noiseTogether(layers, {1, 1, 1}) == Approx(1));
}

TEST_CASE("a sketch is as long as the differences, and sketches add", "[accuracy]")
{
    for (const std::size_t count : {100U, 4096U, 200'000U}) {
        std::mt19937 random(7);
        std::normal_distribution<double> normal;
        NoiseSketch first;
        NoiseSketch second;
        double squares = 0; // of the sum of both layers
        for (std::size_t i = 0; i < count; ++i) {
            const double a = normal(random);
            const double b = 0.5 * a + normal(random);
            first.add(a);
            second.add(b);
            squares += (a + b) * (a + b);
        }
        constexpr double signal = 10;
        SketchSum sum;
        sum.add(first.numbers(signal));
        sum.add(second.numbers(signal));
        INFO(count);
        CHECK(sum.noise() == Approx(squares / signal).epsilon(count <= 4096 ? 1e-5 : 0.1));
    }
    NoiseSketch bad;
    bad.add(std::numeric_limits<double>::infinity());
    CHECK(bad.numbers(1).empty());
    CHECK(NoiseSketch().numbers(0).empty());
}

TEST_CASE("attributes that say what the op takes anyway are left out", "[accuracy]")
{
    const auto same = attr::fromString("NHWC");
    const GraphPtr graph = GraphBuilder()
                               .placeholder("x", {1, 2, 2, 1})
                               .floats("b", {1}, {1})
                               .node("a", "BiasAdd", {"x", "b"}, {{"data_format", same}})
                               .node("p", "BiasAdd", {"a", "b"})
                               .node("y", "Relu", {"p"}, {{"T", attr::fromType(DType::Float)}})
                               .build();
    CHECK(printRecipe(shorteningSteps(*graph)) ==
          "remove_attribute(attribute_name=data_format, op_name=BiasAdd)\nobfuscate_names");
    const GraphPtr other =
        GraphBuilder()
            .placeholder("x", {1, 1, 2, 2})
            .floats("b", {1}, {1})
            .node("a", "BiasAdd", {"x", "b"}, {{"data_format", attr::fromString("NCHW")}})
            .node("y", "BiasAdd", {"a", "b"}, {{"data_format", same}})
            .build();
    CHECK(printRecipe(shorteningSteps(*other)) == "obfuscate_names");
}

TEST_CASE("a search may be cancelled at every stage, and keeps what is there", "[accuracy]")
{
    GraphEntry entry;
    entry.graph = randomLayers(3);
    const AutopilotOptions options = smallSearch();
    bool isDone = false;
    bool wasRefused = false;
    bool wasCut = false;
    for (int last = 0; !isDone; last += 5) {
        std::stop_source stop;
        int reports = 0;
        const Job job(stop.get_token(), [&](double share) {
            CHECK(share <= 1);
            if (reports++ == last)
                stop.request_stop();
        });
        const auto found = runAutopilot(entry, "-", {"x"}, {"y"}, options, job);
        isDone = reports <= last;
        INFO("cancelled at report " << last);
        if (!found) {
            CHECK(found.error().code == ErrorCode::Cancelled);
            wasRefused = true;
            continue;
        }
        wasCut = wasCut || found->isStopped;
        REQUIRE_FALSE(found->points.empty());
        REQUIRE(found->chosen);
        CHECK_FALSE(found->front.empty());
        for (const AutopilotPoint& point : found->points)
            CHECK(std::int64_t(point.encoded.size()) == point.bytes);
    }
    CHECK(wasRefused); // before there was any point
    CHECK(wasCut);
}

TEST_CASE("answers that are not finite are named", "[accuracy]")
{
    const auto flown = [](float bad) {
        Floats other(16, 0.25F);
        other[3] = bad;
        GraphEntry entry;
        entry.graph = GraphBuilder()
                          .placeholder("x", {2, 4})
                          .floats("w", {4, 4}, {0.5F, -0.25F, 0.1F, 0.7F, -0.3F})
                          .node("y", "MatMul", {"x", "w"})
                          .floats("v", {4, 4}, other)
                          .node("z", "MatMul", {"x", "v"})
                          .build();
        return runAutopilot(entry, "-", {"x"}, {"y", "z"}, smallSearch(), Job());
    };
    CHECK(flown(0.125F).ok());
    for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
        const auto broken = flown(bad);
        REQUIRE_FALSE(broken.ok());
        CHECK(broken.error().message.find("z holds NaN or infinity") != std::string::npos);
    }
}

TEST_CASE("the first files have one form for all layers, and take no measurement", "[accuracy]")
{
    GraphEntry entry;
    entry.graph = randomLayers(3);
    AutopilotOptions options = smallSearch();
    options.leastDb = 30;
    std::vector<std::size_t> formCounts;
    std::vector<std::size_t> evaluations;
    options.onFound = [&](const Autopilot& soFar) {
        if (soFar.points.empty())
            return;
        std::set<LayerForm> forms;
        for (const auto& [name, form] : soFar.points.back().layers)
            forms.insert(form);
        formCounts.push_back(forms.size());
        evaluations.push_back(soFar.evaluations);
    };
    const auto found = runAutopilot(entry, "-", {"x"}, {"y"}, options, Job());
    REQUIRE(found.ok());
    REQUIRE(formCounts.size() > 4);
    CHECK(formCounts[0] == 1);
    CHECK(formCounts[1] == 1);
    CHECK(evaluations[1] == 2); // these files
    CHECK(std::ranges::any_of(formCounts, [](std::size_t count) { return count > 1; }));
    // No plan is built twice.
    std::set<std::string> recipes;
    for (const AutopilotPoint& point : found->points)
        CHECK(recipes.insert(printRecipe(point.recipe)).second);
    CHECK(found->front.size() >= 4);
}

} // namespace lapidary
