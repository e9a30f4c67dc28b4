// SPDX-License-Identifier: Apache-2.0
//   analytic:   b[k] -= sum over taps and input channels i of (q(w) - w)[.. i, k] * E[x[i]]
//   empirical:  b[k] -= mean of channel k with rounded weights - mean of it with exact ones
//
// (Nagel et al. 2019.) The empirical correction goes from layer to layer: the part before a layer
// is rounded and corrected before its mean is taken.
#include "transforms/quantize/bias_correction.h"

#include "transforms/fold/delegated_evaluation.h"
#include "transforms/layers/channel_spread.h"
#include "transforms/layers/layer_weights.h"
#include "transforms/pass/interface_names.h"
#include "transforms/samples/run_samples.h"

#include <algorithm>
#include <map>

namespace lapidary {
namespace {

Error decline(std::string why)
{
    return {ErrorCode::InvalidArgument, std::move(why)};
}

std::string nameOf(const Graph& graph, NodeId id)
{
    return std::string(graph.node(id).name());
}

// Returns the mean of each channel that a layer reads.
Result<std::vector<double>> expectedInputs(const Graph& graph, const Layer& layer)
{
    const Endpoint from = dataInput(graph, layer.product, 0);
    if (!from.node.isValid() || from.port != 0)
        return decline("its input has no statistics");
    auto spreads = channelSpreads(graph, from.node);
    if (!spreads)
        return decline("its input: " + spreads.error().message);
    if (spreads->largest.isValid())
        return decline("its input: the mean after " + nameOf(graph, spreads->largest) +
                       " (MaxPool) is not known");
    if (layer.inputs % std::int64_t(spreads->channels.size()) != 0)
        return decline("its input has statistics of other channels");
    std::vector<double> means;
    for (const ChannelSpread& spread : spreads->channels)
        means.push_back(spread.expected());
    return means;
}

class BiasCorrector {
public:
    BiasCorrector(const GraphPtr& graph, const GraphPtr& quantized, BiasCorrection how,
                  const PassArgs& args, const Job& job, Findings* findings)
        : m_graph(graph)
        , m_quantized(quantized)
        , m_how(how)
        , m_args(args)
        , m_job(job)
        , m_findings(findings)
    {
    }

    Result<EditResult> run()
    {
        for (const Layer& layer : layersOf(*m_graph)) {
            const NodeId codes = m_quantized->find(nameOf(*m_graph, layer.weights));
            if (!codes.isValid() || m_quantized->node(codes).op() == "Const")
                continue;
            std::string why = fault(layer);
            if (why.empty())
                m_layers.push_back(layer);
            if (m_findings != nullptr)
                m_findings->push_back({{layer.product, layer.weights}, std::move(why)});
        }
        ASSIGN_OR_RETURN(const auto options, sampleOptions(m_args.parameters));
        std::optional<Samples> samples;
        if (m_how == BiasCorrection::Empirical) {
            ASSIGN_OR_RETURN(samples, Samples::make(*m_graph, m_args.inputs, options));
        }
        if (m_findings == nullptr && !m_layers.empty())
            RETURN_IF_ERROR(samples ? correctByMeans(*samples) : correctByStatistics());
        return apply();
    }

private:
    // Returns why the layer keeps its bias; empty if it does not.
    std::string fault(const Layer& layer) const
    {
        if (!layer.bias.isValid())
            return "it has no bias to correct";
        const auto kept = interfaceNodes(m_args);
        if (kept.contains(m_graph->node(layer.bias).name()))
            return nameOf(*m_graph, layer.bias) + " is an input or output of the model";
        if (const auto weights = readWeights(*m_graph, layer); !weights)
            return weights.error().message;
        if (m_how == BiasCorrection::Empirical)
            return "";
        const auto means = expectedInputs(*m_graph, layer);
        return means ? "" : means.error().message;
    }

    Status correctByStatistics()
    {
        std::vector<std::string> names;
        for (const Layer& layer : m_layers)
            names.push_back(nameOf(*m_graph, layer.weights) + ":0");
        const auto& delegated = delegatedEvaluation();
        ASSIGN_OR_RETURN(const auto rounded, delegated
                                                 ? delegated({m_quantized, {}}, names, m_job)
                                                 : evaluateHere({m_quantized, {}}, names, m_job));
        for (std::size_t l = 0; l < m_layers.size(); ++l) {
            if (!rounded[l])
                return Error{ErrorCode::Internal, names[l] + " cannot be computed"};
            RETURN_IF_ERROR(correctByStatistics(m_layers[l], rounded[l]->as<float>()));
        }
        return Done{};
    }

    Status correctByStatistics(const Layer& layer, std::span<const float> rounded)
    {
        ASSIGN_OR_RETURN(const LayerWeights exact, readWeights(*m_graph, layer));
        ASSIGN_OR_RETURN(const auto means, expectedInputs(*m_graph, layer));
        std::vector<double> shift(exact.outputs);
        for (std::size_t i = 0; i < exact.values.size(); ++i)
            shift[exact.outputOf(i)] += (double(rounded[i]) - double(exact.values[i])) *
                                        means[exact.inputOf(i) % means.size()];
        correct(layer, exact.bias, shift);
        return Done{};
    }

    void correct(const Layer& layer, std::vector<float> bias, const std::vector<double>& shift)
    {
        for (std::size_t k = 0; k < bias.size(); ++k)
            bias[k] = float(double(bias[k]) - shift[k]);
        m_biases[layer.bias.value] = std::move(bias);
    }

    // Returns for each layer the mean of each channel of its output.
    Result<std::vector<std::vector<double>>>
    meansOf(const GraphPtr& graph, std::span<const Layer> layers, const Samples& samples) const
    {
        std::vector<std::string> names;
        std::vector<std::vector<double>> sums;
        std::vector<double> counts(layers.size());
        for (const Layer& layer : layers) {
            names.push_back(nameOf(*m_graph, layer.end()) + ":0");
            sums.emplace_back(std::size_t(layer.outputs));
        }
        RETURN_IF_ERROR(runSamples(
            graph, samples, names,
            [&](std::span<const Value> values) {
                for (std::size_t l = 0; l < values.size(); ++l) {
                    const auto numbers = values[l].as<float>();
                    for (std::size_t i = 0; i < numbers.size(); ++i)
                        sums[l][i % sums[l].size()] += double(numbers[i]);
                    counts[l] += double(numbers.size()) / double(sums[l].size());
                }
            },
            m_job));
        for (std::size_t l = 0; l < sums.size(); ++l)
            for (double& sum : sums[l])
                sum /= std::max(counts[l], 1.0);
        return sums;
    }

    Status correctByMeans(const Samples& samples)
    {
        ASSIGN_OR_RETURN(const auto exact, meansOf(m_graph, m_layers, samples));
        GraphPtr rounded = m_quantized;
        for (std::size_t l = 0; l < m_layers.size(); ++l) {
            const Layer& layer = m_layers[l];
            ASSIGN_OR_RETURN(const auto means, meansOf(rounded, {&layer, 1}, samples));
            std::vector<double> shift(means[0].size());
            for (std::size_t k = 0; k < shift.size(); ++k)
                shift[k] = means[0][k] - exact[l][k];
            ASSIGN_OR_RETURN(const LayerWeights weights, readWeights(*m_graph, layer));
            correct(layer, weights.bias, shift);
            GraphEdit edit(rounded);
            edit.replace(rounded->find(nameOf(*m_graph, layer.bias)), corrected(layer.bias));
            ASSIGN_OR_RETURN(auto next, std::move(edit).finish());
            rounded = std::move(next.graph);
            m_job.progress(double(l + 1) / double(m_layers.size()));
        }
        return Done{};
    }

    NodeDraft corrected(NodeId bias) const
    {
        return withValues(m_graph->node(bias), m_biases.at(bias.value));
    }

    Result<EditResult> apply() const
    {
        GraphEdit edit(m_graph);
        for (const auto& [id, values] : m_biases)
            edit.replace(NodeId{id}, corrected(NodeId{id}));
        edit.countPlaces(m_biases.size());
        return std::move(edit).finish();
    }

    GraphPtr m_graph;
    GraphPtr m_quantized;
    BiasCorrection m_how;
    const PassArgs& m_args;
    const Job& m_job;
    Findings* m_findings;
    std::vector<Layer> m_layers;
    std::map<std::uint32_t, std::vector<float>> m_biases; // by the id of the constant
};

} // namespace

Result<BiasCorrection> biasCorrection(const Parameters& parameters)
{
    ASSIGN_OR_RETURN(const std::string how, parameters.oneString("correct_bias", "none"));
    const std::map<std::string, BiasCorrection, std::less<>> forms{
        {"none", BiasCorrection::None},
        {"analytic", BiasCorrection::Analytic},
        {"empirical", BiasCorrection::Empirical}};
    const auto form = forms.find(how);
    if (form == forms.end())
        return decline("correct_bias is none, analytic or empirical, not '" + how + "'");
    return form->second;
}

Result<EditResult> correctBiases(const GraphPtr& graph, const GraphPtr& quantized,
                                 BiasCorrection how, const PassArgs& args, const Job& job,
                                 Findings* findings)
{
    return BiasCorrector(graph, quantized, how, args, job, findings).run();
}

} // namespace lapidary
