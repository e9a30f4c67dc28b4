// SPDX-License-Identifier: Apache-2.0
// drop_dead_channels
//
//   top[k] = b[k] + sum max(w, 0) * high[i] + sum min(w, 0) * low[i]
//
// Intervals of every channel follow from the range of the inputs. A channel whose maximum is not
// above 0 is 0 after Relu: its weights have no effect, and neither do those of its readers, however
// large they are. Such weights come from batch normalizations without variance; they would set the
// range in which all others are quantized. The contribution of a constant channel other than 0 goes
// into the bias of its reader.
#include "transforms/constants/const_node.h"
#include "transforms/layers/channel_bounds.h"
#include "transforms/layers/layer_weights.h"
#include "transforms/pass/interface_names.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "input_min",
                  .type = ParameterType::Float,
                  .defaultText = "-1",
                  .help = "smallest value of the inputs"},
    ParameterSpec{.name = "input_max",
                  .type = ParameterType::Float,
                  .defaultText = "1",
                  .help = "largest value of the inputs"},
};

Result<Interval> inputRange(const Parameters& given)
{
    ASSIGN_OR_RETURN(const float low, given.oneFloat("input_min", -1));
    ASSIGN_OR_RETURN(const float high, given.oneFloat("input_max", 1));
    if (!std::isfinite(low) || !std::isfinite(high) || low > high)
        return Error{ErrorCode::InvalidArgument,
                     "drop_dead_channels needs finite numbers input_min <= input_max"};
    return Interval{double(low), double(high)};
}

// One layer whose weights may change.
class LayerCleaner {
public:
    LayerCleaner(const Graph& graph, const Layer& layer, LayerWeights weights)
        : m_graph(graph)
        , m_layer(layer)
        , m_old(weights)
        , m_new(std::move(weights))
    {
    }

    // Drops channels that are always 0 after `activation`.
    void dropOutputs(const ChannelBounds& activation)
    {
        for (std::size_t k = 0; k < m_new.outputs; ++k) {
            const Interval result = activation.of(k, m_new.outputs);
            if (result.low != 0 || result.high != 0)
                continue;
            for (std::size_t i = k; i < m_new.values.size(); i += m_new.outputs)
                m_new.values[i] = 0;
            if (!m_new.bias.empty())
                m_new.bias[k] = std::min(m_new.bias[k], 0.0F);
        }
    }

    // Drops channels of the input that always have one value. Returns why a channel with another
    // value than 0 is kept; empty if none is.
    std::string dropInputs(const ChannelBounds& input, bool mayMoveValues)
    {
        std::string why;
        for (std::size_t i = 0; i < m_new.inputs; ++i) {
            const Interval read = input.of(i, m_new.inputs);
            if (!read.isValue() || !std::isfinite(read.low) || !readsInput(i))
                continue;
            const bool isZero = read.low == 0;
            if (!isZero && (m_new.bias.empty() || !mayMoveValues)) {
                why = m_new.bias.empty()
                          ? "channel " + std::to_string(i) +
                                " is constant, but there is no bias to hold it"
                          : "channel " + std::to_string(i) + " is constant, but its padding is 0";
                continue;
            }
            if (!isZero)
                moveToBias(i, read.low);
            for (std::size_t at = 0; at < m_new.values.size(); ++at)
                if (m_new.inputOf(at) == i)
                    m_new.values[at] = 0;
        }
        return why;
    }

    // A zero with another sign is not a change.
    bool isChanged() const { return m_new.values != m_old.values || m_new.bias != m_old.bias; }

    void apply(GraphEdit& edit) const
    {
        edit.replace(m_layer.weights, withValues(m_graph.node(m_layer.weights), m_new.values));
        if (m_new.bias != m_old.bias)
            edit.replace(m_layer.bias, withValues(m_graph.node(m_layer.bias), m_new.bias));
    }

private:
    bool readsInput(std::size_t input) const
    {
        for (std::size_t at = 0; at < m_new.values.size(); ++at)
            if (m_new.inputOf(at) == input && m_new.values[at] != 0)
                return true;
        return false;
    }

    void moveToBias(std::size_t input, double value)
    {
        const std::vector<double> sums = m_new.sumsOfInput(input);
        for (std::size_t k = 0; k < sums.size(); ++k)
            m_new.bias[k] = float(double(m_new.bias[k]) + value * sums[k]);
    }

    const Graph& m_graph;
    const Layer& m_layer;
    LayerWeights m_old;
    LayerWeights m_new;
};

class ChannelDropper {
public:
    ChannelDropper(const GraphPtr& graph, const PassArgs& args, Findings* findings)
        : m_graph(*graph)
        , m_kept(interfaceNodes(args))
        , m_findings(findings)
        , m_edit(graph)
    {
        for (const std::string& input : args.inputs)
            m_inputs.emplace(nodeOfInput(input));
    }

    Result<EditResult> run(Interval range, const Job& job)
    {
        ASSIGN_OR_RETURN(m_bounds, channelBounds(m_graph, m_inputs, range, job));
        std::size_t places = 0;
        for (const Layer& layer : layersOf(m_graph)) {
            if (job.cancelled())
                return cancelledError();
            places += clean(layer) ? 1 : 0;
        }
        m_edit.countPlaces(places);
        return std::move(m_edit).finish();
    }

private:
    bool isKept(NodeId id) const { return m_kept.contains(m_graph.node(id).name()); }

    // Returns the Relu that is the only reader of the layer; an invalid id if there is none.
    NodeId activationOf(const Layer& layer) const
    {
        const std::vector<NodeId> readers = dataReaders(m_graph, layer.end());
        if (readers.size() != 1 || isKept(layer.product) || isKept(layer.end()) ||
            (!layer.sum.isValid() && dataReaders(m_graph, layer.product).size() != 1))
            return {};
        const std::string_view op = m_graph.node(readers[0]).op();
        return op == "Relu" || op == "Relu6" ? readers[0] : NodeId();
    }

    // Returns whether each result is a sum over all weights, with no zeros from around an image.
    bool readsNoPadding(const Layer& layer) const
    {
        const Node& product = m_graph.node(layer.product);
        const std::vector<std::int64_t> dims = constDims(m_graph.node(layer.weights));
        return product.op() == "MatMul" || (dims[0] == 1 && dims[1] == 1) ||
               product.attr("padding").asString().value_or("") == "VALID";
    }

    bool clean(const Layer& layer)
    {
        if (isKept(layer.weights) || (layer.bias.isValid() && isKept(layer.bias)))
            return false;
        auto weights = readWeights(m_graph, layer);
        if (!weights) {
            report(layer, weights.error().message);
            return false;
        }
        LayerCleaner cleaner(m_graph, layer, *std::move(weights));
        std::string why;
        const Endpoint from = dataInput(m_graph, layer.product, 0);
        if (from.node.isValid() && from.port == 0)
            why = cleaner.dropInputs(m_bounds[from.node.value],
                                     readsNoPadding(layer) && !isKept(layer.product));
        if (const NodeId activation = activationOf(layer); activation.isValid())
            cleaner.dropOutputs(m_bounds[activation.value]);
        if (cleaner.isChanged()) {
            cleaner.apply(m_edit);
            report(layer, "");
            return true;
        }
        if (!why.empty())
            report(layer, why);
        else if (from.node.isValid() && m_bounds[from.node.value].channels.empty())
            report(layer, "the range of its input is not known");
        return false;
    }

    void report(const Layer& layer, std::string why)
    {
        if (m_findings != nullptr)
            m_findings->push_back({{layer.product, layer.weights}, std::move(why)});
    }

    const Graph& m_graph;
    NodeNames m_kept;
    NodeNames m_inputs;
    Findings* m_findings;
    GraphEdit m_edit;
    std::vector<ChannelBounds> m_bounds;
};

Result<EditResult> drop(const GraphPtr& graph, const PassArgs& args, const Job& job,
                        Findings* findings)
{
    ASSIGN_OR_RETURN(const Interval range, inputRange(args.parameters));
    return ChannelDropper(graph, args, findings).run(range, job);
}

} // namespace

const Pass passes::dropDeadChannels{
    .name = "drop_dead_channels",
    .summary = "Zeroes the weights of channels that are provably constant.",
    .before = "a = Relu(BiasAdd(Conv2D(x, w), b)), channel 2 of which is never above 0\n"
              "y = Conv2D(a, v)",
    .after = "the same nodes, with zeros in w, and in v for channel 2",
    .declines = "Layers whose weights are read twice or are not float constants. A channel that is "
                "constant but not 0 stays where its reader has no bias, or pads with 0. What is "
                "proven holds for inputs from input_min to input_max. Run it after "
                "fold_old_batch_norms and before equalize_layers.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = OneWalk<drop>::find,
    .run = OneWalk<drop>::run,
};

} // namespace lapidary
