// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/transforms/passes/layered_graphs.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "transforms/accuracy/accuracy_base.h"
#include "transforms/accuracy/form_noises.h"
#include "transforms/accuracy/form_recipe.h"
#include "transforms/accuracy/sensitivity.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

GraphEntry entryOf(const GraphPtr& graph)
{
    GraphEntry entry;
    entry.graph = graph;
    return entry;
}

NoiseMeter meterOf(const GraphPtr& graph, std::size_t probes = 4)
{
    ProbePlan plan;
    plan.count = probes;
    auto meter = NoiseMeter::make(entryOf(graph), "-", {"y"}, plan, Job());
    REQUIRE(meter.ok());
    return *std::move(meter);
}

// Three products in a row; one of the second one's weights widens its range.
GraphPtr products(float damage)
{
    const auto weights = [](std::size_t count) {
        Floats values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = std::sin(float(i * i % 101));
        return values;
    };
    Floats second = weights(64);
    second[5] += damage;
    return GraphBuilder()
        .placeholder("x", {2, 8})
        .floats("u", {8, 8}, weights(64))
        .node("first", "MatMul", {"x", "u"})
        .floats("v", {8, 8}, second)
        .node("second", "MatMul", {"first", "v"})
        .floats("w", {8, 4}, weights(32))
        .node("y", "MatMul", {"second", "w"})
        .build();
}

} // namespace

TEST_CASE("noise is the squared difference over the signal", "[accuracy]")
{
    const GraphPtr right = GraphBuilder()
                               .placeholder("x", {2, 3})
                               .floats("one", {}, {1})
                               .node("y", "Mul", {"x", "one"})
                               .build();
    const auto times = [](float factor) {
        return GraphBuilder()
            .placeholder("x", {2, 3})
            .floats("one", {}, {factor})
            .node("y", "Mul", {"x", "one"})
            .build();
    };
    const NoiseMeter meter = meterOf(right);
    CHECK(meter.probes() == 4);
    CHECK(meter.of(right, Job())->ratio == 0);
    CHECK(std::isinf(meter.of(right, Job())->sqnrDb()));
    const auto tenth = meter.of(times(1.1F), Job());
    REQUIRE(tenth.ok());
    CHECK(tenth->sqnrDb() == Approx(20).margin(1e-3));
    CHECK(tenth->top1 == 1.0);
    CHECK(meter.of(times(-1), Job())->top1 == 0.0);
    CHECK(std::isinf(meter.of(times(std::nanf("")), Job())->ratio));
}

TEST_CASE("noise is measured before a softmax, and before the best class is picked", "[accuracy]")
{
    const GraphPtr graph = GraphBuilder()
                               .placeholder("x", {2, 3})
                               .node("logits", "Neg", {"x"})
                               .node("softmax", "Softmax", {"logits"})
                               .node("y", "Identity", {"softmax"})
                               .node("class", "ArgMax", {"logits", "axis"})
                               .node("likeliest", "ArgMax", {"y", "axis"})
                               .build();
    for (const char* const output : {"y", "logits", "class", "likeliest"})
        CHECK(measuredTensors(*graph, {output}) == Strings{"logits"});
}

TEST_CASE("codes with a scale for each channel have the noise of the numbers that they represent",
          "[accuracy]")
{
    const auto depthwise = [](const Floats& weights) {
        return GraphBuilder()
            .placeholder("x", {1, 9, 9, 8})
            .floats("w", {3, 3, 8, 1}, weights)
            .node(
                "conv", "DepthwiseConv2dNative", {"x", "w"},
                {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString("SAME")}})
            .node("y", "Relu", {"conv"})
            .build();
    };
    Floats weights(72);
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = std::sin(float(i * i % 101)) * float(1U << (i % 8));
    const GraphPtr right = depthwise(weights);
    const NoiseMeter meter = meterOf(right);
    const auto found = layerNoises(right, meter, {LayerForm::Channel8}, Job());
    REQUIRE(found.ok());
    REQUIRE(found->size() == 1);
    REQUIRE(found->front().noise.ratio > 0);

    const auto coded = withForms(right, {{"conv", LayerForm::Channel8}}, Job());
    REQUIRE(coded.ok());
    const std::string filter((*coded)->node((*coded)->find("conv")).inputs()[1].text);
    Session session(*coded, {});
    const auto decoded = session.run({.fetches = {filter}}, Job());
    REQUIRE(decoded.ok());
    const auto numbers = (*decoded)[0].as<float>();
    const auto again = meter.of(depthwise({numbers.begin(), numbers.end()}), Job());
    REQUIRE(again.ok());
    CHECK(again->ratio == Approx(found->front().noise.ratio).epsilon(1e-12).margin(0));
}

TEST_CASE("the layer with damaged weights is the worst", "[accuracy]")
{
    const GraphPtr graph = products(60);
    const auto noises = layerNoises(graph, meterOf(graph), {LayerForm::Tensor8}, Job());
    REQUIRE(noises.ok());
    REQUIRE(noises->size() == 3);
    const auto worst = std::ranges::max_element(
        *noises, {}, [](const LayerNoise& noise) { return noise.noise.ratio; });
    CHECK(graph->node(worst->layer.product).name() == "second");
    const GraphPtr sound = products(0);
    const auto even = layerNoises(sound, meterOf(sound), {LayerForm::Tensor8}, Job());
    REQUIRE(even.ok());
    CHECK((*noises)[1].noise.ratio > 5 * (*even)[1].noise.ratio);
}

TEST_CASE("noise of a form is that of the graph with such weights", "[accuracy]")
{
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
        const GraphPtr graph = randomLayers(seed);
        const NoiseMeter meter = meterOf(graph, 2);
        const auto noises =
            layerNoises(graph, meter, {LayerForm::Channel8, LayerForm::Tensor16}, Job());
        REQUIRE(noises.ok());
        REQUIRE(noises->size() >= 4);
        for (const LayerNoise& noise : *noises) {
            const std::string name(graph->node(noise.layer.product).name());
            INFO(name << " " << formName(noise.form));
            const GraphPtr real = passed("quantize_weights(minimum_size=1, only_node=" + name +
                                             ", " + formParameters(noise.form) + ")",
                                         graph, {"x"}, {"y"});
            const auto measured = meter.of(real, Job());
            REQUIRE(measured.ok());
            CHECK(measured->ratio == Approx(noise.noise.ratio).epsilon(1e-6));
        }
    }
}

// Returns the values rounded to codes with one range for all weights, computed from the definition.
Floats rounded(const Floats& values, bool isPerChannel, std::size_t channels)
{
    const auto coded = [](const std::vector<double>& some) {
        double low = 0;
        double high = 0;
        for (const double value : some) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
        const double step = (high - low) / 255;
        std::vector<double> result;
        const double first = std::round(low / step); // 0 has a code
        for (const double value : some)
            result.push_back(step *
                             (std::clamp(std::round(value / step) - first, 0.0, 255.0) + first));
        return result;
    };
    std::vector<double> scale(channels, isPerChannel ? 0 : 1);
    for (std::size_t i = 0; isPerChannel && i < values.size(); ++i)
        scale[i % channels] = std::max(scale[i % channels], double(std::abs(values[i])));
    std::vector<double> shares;
    for (std::size_t i = 0; i < values.size(); ++i)
        shares.push_back(double(values[i]) / scale[i % channels]);
    const std::vector<double> codes = coded(shares);
    Floats result;
    for (std::size_t i = 0; i < values.size(); ++i)
        result.push_back(float(codes[i] * scale[i % channels]));
    return result;
}

// Computes x * a * b * c with sums in double precision.
std::vector<double> product(const std::vector<double>& x, const Floats& w, std::size_t columns)
{
    const std::size_t depth = w.size() / columns;
    std::vector<double> y(x.size() / depth * columns);
    for (std::size_t row = 0; row < x.size() / depth; ++row)
        for (std::size_t k = 0; k < depth; ++k)
            for (std::size_t column = 0; column < columns; ++column)
                y[row * columns + column] += x[row * depth + k] * double(w[k * columns + column]);
    return y;
}

TEST_CASE("noise of a layer is what an independent computation finds", "[accuracy]")
{
    const GraphPtr graph = products(3);
    const std::vector<std::pair<const char*, std::size_t>> layers{{"u", 8}, {"v", 8}, {"w", 4}};
    std::vector<double> x;
    std::string written;
    for (int i = 0; i < 16; ++i) {
        x.push_back(double(i * 7 % 16) / 8 - 1);
        written += (i == 0 ? "" : ",") + std::to_string(x.back());
    }
    ProbePlan plan;
    plan.run.feeds.push_back({"x", WrittenFeed{written}});
    const auto meter = NoiseMeter::make(entryOf(graph), "-", {"y"}, plan, Job());
    REQUIRE(meter.ok());
    const auto answer = [&](int changed, bool isPerChannel) {
        std::vector<double> y = x;
        for (int i = 0; i < 3; ++i) {
            const Floats exact = floatsOf(graph, layers[std::size_t(i)].first);
            const std::size_t columns = layers[std::size_t(i)].second;
            y = product(y, i == changed ? rounded(exact, isPerChannel, columns) : exact, columns);
        }
        return y;
    };
    const std::vector<double> right = answer(-1, false);
    for (const LayerForm form : {LayerForm::Tensor8, LayerForm::Channel8}) {
        const auto noises = layerNoises(graph, *meter, {form}, Job());
        REQUIRE(noises.ok());
        REQUIRE(noises->size() == 3);
        for (int i = 0; i < 3; ++i) {
            const std::vector<double> other = answer(i, form == LayerForm::Channel8);
            double signal = 0;
            double difference = 0;
            for (std::size_t k = 0; k < right.size(); ++k) {
                signal += right[k] * right[k];
                difference += (other[k] - right[k]) * (other[k] - right[k]);
            }
            INFO(formName(form) << " of layer " << i);
            CHECK((*noises)[std::size_t(i)].noise.ratio ==
                  Approx(difference / signal).epsilon(1e-3).margin(1e-6));
        }
    }
}

TEST_CASE("noise that was not measured follows from the weights", "[accuracy]")
{
    const std::vector<LayerForm> forms{LayerForm::Tensor8, LayerForm::Channel8, LayerForm::Tensor16,
                                       LayerForm::Channel16};
    for (const float damage : {0.0F, 3.0F, 20.0F}) {
        const GraphPtr graph = products(damage);
        const auto measured = layerNoises(graph, meterOf(graph, 2), forms, Job());
        REQUIRE(measured.ok());
        std::vector<NoisyLayer> layers = noisyLayers(*graph, forms);
        const auto real = [&](std::size_t layer, std::size_t form) {
            return (*measured)[layer * forms.size() + form].noise.ratio;
        };
        for (std::size_t i = 0; i < layers.size(); ++i)
            for (std::size_t form = 0; form < 2; ++form) {
                layers[i].forms[form].noise = real(i, form);
                layers[i].forms[form].isMeasured = true;
            }
        estimateNoises(layers, layers);
        for (std::size_t i = 0; i < layers.size(); ++i)
            for (std::size_t form = 2; form < 4; ++form) {
                const FormNoise& one = layers[i].forms[form];
                INFO("damage " << damage << ", " << layers[i].name << " " << formName(one.form)
                               << ": " << real(i, form) << " measured, " << one.noise
                               << " estimated");
                CHECK_FALSE(one.isMeasured);
                CHECK(std::abs(std::log10(one.noise / real(i, form))) < 1); // few weights
            }
    }
    // Without a measurement, the order of the weights remains.
    std::vector<NoisyLayer> none = noisyLayers(*products(60), {LayerForm::Tensor8});
    estimateNoises(none, none);
    CHECK(none[1].forms[0].noise > 5 * none[0].forms[0].noise);
    CHECK(none[1].forms[0].noise > 5 * none[2].forms[0].noise);
}

TEST_CASE("a graph without layers has nothing to quantize", "[accuracy]")
{
    const GraphPtr bare = GraphBuilder().placeholder("x", {2, 3}).node("y", "Neg", {"x"}).build();
    const auto base = accuracyBase(entryOf(bare), {"x"}, {"y"}, Job());
    REQUIRE_FALSE(base.ok());
    CHECK(base.error().message.ends_with("nothing to quantize"));
    const GraphPtr trained = graph("x = Placeholder()\nw = VariableV2()\ny = MatMul(x, w)");
    const auto unfrozen = accuracyBase(entryOf(trained), {"x"}, {"y"}, Job());
    REQUIRE_FALSE(unfrozen.ok());
    CHECK(unfrozen.error().message.ends_with("before the variables are frozen"));
}

} // namespace lapidary
