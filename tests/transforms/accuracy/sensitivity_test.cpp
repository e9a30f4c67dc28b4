// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/layered_graphs.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "transforms/accuracy/accuracy_base.h"
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

// Three products in a row; the weights of the second one have a value that widens their range.
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

TEST_CASE("noise is measured before a softmax", "[accuracy]")
{
    const GraphPtr graph = GraphBuilder()
                               .placeholder("x", {2, 3})
                               .node("logits", "Neg", {"x"})
                               .node("softmax", "Softmax", {"logits"})
                               .node("y", "Identity", {"softmax"})
                               .build();
    CHECK(measuredTensors(*graph, {"y"}) == Strings{"logits"});
    CHECK(measuredTensors(*graph, {"logits"}) == Strings{"logits"});
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

TEST_CASE("a graph without layers has nothing to quantize", "[accuracy]")
{
    const GraphPtr bare = GraphBuilder().placeholder("x", {2, 3}).node("y", "Neg", {"x"}).build();
    const auto base = accuracyBase(entryOf(bare), {"x"}, {"y"}, Job());
    REQUIRE_FALSE(base.ok());
    CHECK(base.error().message.find("nothing to quantize") != std::string::npos);
}

} // namespace lapidary
