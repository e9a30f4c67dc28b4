// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/form_noises.h"

#include "runner/setup/model_interface.h"
#include "transforms/accuracy/form_recipe.h"
#include "transforms/accuracy/noise_sketch.h"
#include "transforms/accuracy/weight_noise.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lapidary {
namespace {

enum class Grouping { Same, Any };

// Returns the factor from the noise of a layer's weights to that at the output, the geometric mean
// of its measurements. `Same`: of those that are, like the form, per channel or per tensor.
std::optional<double> factorOf(const NoisyLayer& layer, LayerForm form, Grouping grouping)
{
    double logs = 0;
    int count = 0;
    for (const FormNoise& one : layer.forms) {
        if (grouping == Grouping::Same && isPerChannel(one.form) != isPerChannel(form))
            continue;
        if (one.isMeasured && one.noise > 0 && std::isfinite(one.noise) && one.ofWeights > 0) {
            logs += std::log(one.noise / one.ofWeights);
            ++count;
        }
    }
    if (count == 0)
        return {};
    return std::exp(logs / count);
}

std::optional<double> factorOf(const NoisyLayer& layer, LayerForm form)
{
    const auto same = factorOf(layer, form, Grouping::Same);
    return same ? same : factorOf(layer, form, Grouping::Any);
}

std::optional<double> usualFactor(const std::vector<NoisyLayer>& layers, LayerForm form)
{
    std::vector<double> factors;
    for (const NoisyLayer& layer : layers)
        if (const auto factor = factorOf(layer, form))
            factors.push_back(*factor);
    if (factors.empty())
        return {};
    const auto middle = factors.begin() + std::ptrdiff_t(factors.size() / 2);
    std::ranges::nth_element(factors, middle);
    return *middle;
}

} // namespace

std::vector<NoisyLayer> noisyLayers(const Graph& graph, const std::vector<LayerForm>& forms)
{
    std::vector<NoisyLayer> layers;
    for (const Layer& layer : layersOf(graph)) {
        const auto weights = readWeights(graph, layer);
        if (!weights)
            continue;
        NoisyLayer& one = layers.emplace_back();
        one.layer = layer;
        one.name = graph.node(layer.product).name();
        const WeightNoise noise(*weights);
        for (const LayerForm form : forms)
            if (form != LayerForm::Float)
                one.forms.push_back({form, 0, noise.of(form), false});
    }
    return layers;
}

LayerMeter::LayerMeter(GraphPtr graph, const NoiseMeter& meter)
    : m_graph(std::move(graph))
    , m_meter(meter)
{
}

Status LayerMeter::prepare(const std::vector<NoisyLayer>& layers, const Job& job)
{
    std::vector<std::string> tensors;
    for (const NoisyLayer& layer : layers) {
        std::string read =
            withPort(std::string(m_graph->node(layer.layer.product).inputs().front().text));
        if (std::ranges::find(tensors, read) == tensors.end())
            tensors.push_back(std::move(read));
    }
    auto known = m_meter.know(m_graph, tensors, job);
    if (known)
        m_known = *std::move(known);
    else if (known.error().code == ErrorCode::Cancelled)
        return known.error();
    return Done{}; // tensors in loops and in branches that are not taken are not available
}

// Returns the known tensors that do not depend on the layer.
std::vector<std::string> LayerMeter::settledBefore(const NoisyLayer& layer) const
{
    std::vector<bool> isBehind(m_graph->size());
    std::vector<NodeId> open{layer.layer.product};
    isBehind[layer.layer.product.value] = true;
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        for (const Consumer& reader : m_graph->consumers(id))
            if (!isBehind[reader.node.value]) {
                isBehind[reader.node.value] = true;
                open.push_back(reader.node);
            }
    }
    std::vector<std::string> settled;
    for (const std::string& tensor : m_known.names)
        if (const NodeId id = m_graph->find(parseInput(tensor).node);
            id.isValid() && !isBehind[id.value])
            settled.push_back(tensor);
    return settled;
}

Result<SketchedNoise> LayerMeter::of(const NoisyLayer& layer, LayerForm form, const Job& job) const
{
    ASSIGN_OR_RETURN(const GraphPtr changed, withForms(m_graph, {{layer.name, form}}, job));
    if (changed == m_graph)
        return SketchedNoise();
    return m_meter.of(changed, job, m_known, settledBefore(layer));
}

void estimateNoises(std::vector<NoisyLayer>& layers, const std::vector<NoisyLayer>& others)
{
    const std::vector<NoisyLayer> known = layers;
    for (NoisyLayer& layer : layers) {
        const auto other = std::ranges::find(others, layer.name, &NoisyLayer::name);
        for (FormNoise& one : layer.forms) {
            if (one.isMeasured)
                continue;
            auto factor = factorOf(layer, one.form);
            if (!factor && other != others.end())
                factor = factorOf(*other, one.form);
            if (!factor)
                factor = usualFactor(known, one.form);
            if (!factor)
                factor = usualFactor(others, one.form);
            one.noise = factor.value_or(1) * one.ofWeights;
        }
    }
}

namespace {

struct NoiseParts {
    double measured = 0;
    double estimated = 0;
};

NoiseParts noiseParts(const std::vector<NoisyLayer>& layers,
                      const std::vector<std::size_t>& choices)
{
    NoiseParts parts;
    SketchSum sum;
    for (std::size_t l = 0; l < layers.size(); ++l) {
        if (choices[l] == 0)
            continue;
        const FormNoise& one = layers[l].forms[choices[l] - 1];
        if (!one.sketch.empty())
            sum.add(one.sketch);
        else
            (one.isMeasured ? parts.measured : parts.estimated) += one.noise;
    }
    parts.measured += sum.noise();
    return parts;
}

} // namespace

double noiseTogether(const std::vector<NoisyLayer>& layers, const std::vector<std::size_t>& choices)
{
    const NoiseParts parts = noiseParts(layers, choices);
    return parts.measured + parts.estimated;
}

void fitNoises(std::vector<NoisyLayer>& layers, const std::vector<std::size_t>& choices, double sum)
{
    const auto [measured, estimated] = noiseParts(layers, choices);
    if (estimated <= 0 || !std::isfinite(sum) || sum <= measured)
        return;
    for (std::size_t l = 0; l < layers.size(); ++l)
        if (choices[l] > 0)
            if (FormNoise& one = layers[l].forms[choices[l] - 1]; !one.isMeasured)
                one.noise *= (sum - measured) / estimated;
}

} // namespace lapidary
