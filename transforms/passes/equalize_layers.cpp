// SPDX-License-Identifier: Apache-2.0
// equalize_layers
//
//   s[i] = sqrt(max |w of output channel i| / max |v of input channel i|)
//   w[.. i] /= s[i]; b[i] /= s[i]; v[i ..] *= s[i]
//
// Cross-layer equalization (Nagel et al. 2019) between a layer and all layers that read it. Relu,
// LeakyRelu, pooling and padding with 0 pass a positive factor on. Relu6 does if its limit is
// divided by it: it becomes Minimum(Relu(x), 6 / s), which is the same function.
#include "transforms/constants/const_node.h"
#include "transforms/convolution/channel_statistics.h"
#include "transforms/layers/layer_readers.h"
#include "transforms/layers/layer_weights.h"
#include "transforms/match/glob.h"
#include "transforms/pass/interface_names.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "iterations",
                  .type = ParameterType::Int32,
                  .defaultText = "20",
                  .help = "maximum number of rounds over all pairs of layers"},
    ParameterSpec{.name = "relu6",
                  .defaultText = "exact",
                  .help = "exact: scale the limit per channel; relu: drop the limit, which changes "
                          "results; skip: leave such layers alone"},
    ParameterSpec{.name = "max_scale",
                  .type = ParameterType::Float,
                  .defaultText = "1000",
                  .help = "largest scale factor of a channel in one round"},
    ParameterSpec{.name = "ignore_node",
                  .role = ParameterRole::Node,
                  .help = "a layer to leave alone; * and ? are wildcards",
                  .isRepeated = true},
};

enum class Relu6 { Exact, Relu, Skip };

struct Options {
    std::int32_t iterations = 0;
    Relu6 relu6 = Relu6::Exact;
    double largestScale = 0;
    std::vector<std::string> ignored;
};

Result<Options> optionsOf(const Parameters& given)
{
    Options options;
    ASSIGN_OR_RETURN(options.iterations, given.oneInt32("iterations", 20));
    ASSIGN_OR_RETURN(const std::string relu6, given.oneString("relu6", "exact"));
    ASSIGN_OR_RETURN(const float scale, given.oneFloat("max_scale", 1000));
    options.largestScale = double(scale);
    options.ignored = given.all("ignore_node");
    const std::map<std::string, Relu6, std::less<>> forms{
        {"exact", Relu6::Exact}, {"relu", Relu6::Relu}, {"skip", Relu6::Skip}};
    const auto form = forms.find(relu6);
    if (form == forms.end())
        return Error{ErrorCode::InvalidArgument,
                     "relu6 of equalize_layers is exact, relu or skip, not '" + relu6 + "'"};
    options.relu6 = form->second;
    if (options.iterations < 1)
        return Error{ErrorCode::InvalidArgument, "equalize_layers needs at least one iteration"};
    if (!(scale >= 1) || !std::isfinite(scale))
        return Error{ErrorCode::InvalidArgument,
                     "max_scale of equalize_layers is a number from 1 on"};
    return options;
}

// A layer with its scales so far: its values are those of the graph, times `read` of the input
// channel, divided by `made` of the output channel.
struct Scaled {
    Layer layer;
    LayerWeights weights;
    std::vector<double> made;
    std::vector<double> read;

    double factor(std::size_t i) const
    {
        return read[weights.inputOf(i)] / made[weights.outputOf(i)];
    }
    std::vector<double> largest(bool byOutput) const
    {
        std::vector<double> all(byOutput ? weights.outputs : weights.inputs);
        std::vector<double> row(weights.inner); // scaled magnitudes of one input channel
        for (std::size_t i = 0; i < weights.values.size(); i += weights.inner) {
            const std::size_t input = weights.inputOf(i);
            const std::size_t first = weights.outputOf(i);
            for (std::size_t k = 0; k < weights.inner; ++k)
                row[k] = std::abs(double(weights.values[i + k])) * (read[input] / made[first + k]);
            for (std::size_t k = 0; k < weights.inner; ++k) {
                double& most = all[byOutput ? first + k : input];
                most = std::max(most, row[k]);
            }
        }
        return all;
    }
};

struct Pair {
    std::size_t from = 0;
    std::vector<std::size_t> to;
    std::vector<NodeId> clips;
    std::vector<double> scale; // S, of the output channels
};

constexpr double settled = 1e-3; // of the logarithm of a factor

bool isSettled(const std::vector<double>& scale)
{
    return std::ranges::all_of(scale, [](double s) { return std::abs(std::log(s)) <= settled; });
}

class Equalizer {
public:
    Equalizer(const GraphPtr& graph, const PassArgs& args, Options options, Findings* findings)
        : m_base(graph)
        , m_graph(*graph)
        , m_kept(interfaceNodes(args))
        , m_options(std::move(options))
        , m_findings(findings)
    {
    }

    Result<EditResult> run(const Job& job)
    {
        for (const Layer& layer : layersOf(m_graph)) {
            if (job.cancelled())
                return cancelledError();
            if (std::string why = addPair(layer); !why.empty())
                report(layer, std::move(why));
        }
        for (std::int32_t round = 0; round < m_options.iterations; ++round) {
            bool isDone = true;
            for (Pair& pair : m_pairs) {
                if (job.cancelled())
                    return cancelledError();
                isDone = equalize(pair) && isDone;
            }
            if (isDone)
                break;
        }
        return apply();
    }

private:
    bool isIgnored(NodeId product) const
    {
        return std::ranges::any_of(m_options.ignored, [&](const std::string& glob) {
            return fitsGlob(m_graph.node(product).name(), glob);
        });
    }

    void report(const Layer& layer, std::string why)
    {
        if (m_findings != nullptr)
            m_findings->push_back({{layer.product, layer.weights}, std::move(why)});
    }

    // Pairs the layer with those that read it. Returns why that is impossible; empty: it is done.
    std::string addPair(const Layer& layer)
    {
        auto readers = layerReaders(m_graph, layer, m_kept);
        if (!readers)
            return readers.error().message;
        for (const NodeId clip : readers->clips)
            if (std::string why = clipFault(clip); !why.empty())
                return why;
        readers->layers.push_back(layer);
        for (const Layer& member : readers->layers) {
            if (isIgnored(member.product))
                return "left as it is: ignore_node";
            if (const auto known = add(member); !known)
                return known.error().message;
        }
        Pair pair;
        for (const Layer& reader : readers->layers)
            pair.to.push_back(m_places.at(reader.product.value));
        pair.from = pair.to.back();
        pair.to.pop_back();
        pair.clips = std::move(readers->clips);
        pair.scale.assign(std::size_t(layer.outputs), 1);
        m_pairs.push_back(std::move(pair));
        return "";
    }

    std::string clipFault(NodeId clip) const
    {
        const Node& node = m_graph.node(clip);
        const std::string name(node.name());
        if (node.op() != "Relu6")
            return m_options.relu6 == Relu6::Skip ? name + " clips, and relu6=skip" : "";
        if (m_options.relu6 == Relu6::Skip)
            return name + " is a Relu6, and relu6=skip";
        for (const char* part : {"/relu", "/clip"})
            if (m_options.relu6 == Relu6::Exact && m_graph.find(name + part).isValid())
                return "the name " + name + part + " is taken";
        return "";
    }

    Status add(const Layer& layer)
    {
        if (m_places.contains(layer.product.value))
            return Done{};
        ASSIGN_OR_RETURN(auto weights, readWeights(m_graph, layer));
        m_places[layer.product.value] = m_scaled.size();
        std::vector<double> made(weights.outputs, 1);
        std::vector<double> read(weights.inputs, 1);
        m_scaled.push_back({layer, std::move(weights), std::move(made), std::move(read)});
        return Done{};
    }

    // Returns whether nothing was left to do.
    bool equalize(Pair& pair)
    {
        constexpr double dead = 1e-8;
        const std::vector<double> made = m_scaled[pair.from].largest(true);
        std::vector<double> read(made.size());
        for (const std::size_t to : pair.to) {
            const std::vector<double> some = m_scaled[to].largest(false);
            for (std::size_t i = 0; i < some.size(); ++i)
                read[i % read.size()] = std::max(read[i % read.size()], some[i]);
        }
        std::vector<double> scale(made.size(), 1);
        for (std::size_t i = 0; i < scale.size(); ++i)
            if (made[i] >= dead && read[i] >= dead)
                scale[i] = std::clamp(std::sqrt(made[i] / read[i]), 1 / m_options.largestScale,
                                      m_options.largestScale);
        if (isSettled(scale))
            return true;
        for (std::size_t i = 0; i < scale.size(); ++i) {
            pair.scale[i] *= scale[i];
            m_scaled[pair.from].made[i] *= scale[i];
        }
        for (const std::size_t to : pair.to)
            for (std::size_t i = 0; i < m_scaled[to].read.size(); ++i)
                m_scaled[to].read[i] *= scale[i % scale.size()];
        return false;
    }

    Result<EditResult> apply()
    {
        GraphEdit edit(m_base);
        std::vector<bool> isChanged(m_scaled.size());
        std::size_t places = 0;
        for (const Pair& pair : m_pairs) {
            if (isSettled(pair.scale)) {
                report(m_scaled[pair.from].layer, "its channels are even");
                continue;
            }
            ++places;
            isChanged[pair.from] = true;
            for (const std::size_t to : pair.to)
                isChanged[to] = true;
            for (const NodeId clip : pair.clips)
                scaleClip(edit, clip, pair.scale);
            report(m_scaled[pair.from].layer, "");
        }
        for (std::size_t i = 0; i < m_scaled.size(); ++i)
            if (isChanged[i])
                scaleLayer(edit, m_scaled[i]);
        edit.countPlaces(places);
        return std::move(edit).finish();
    }

    void scaleLayer(GraphEdit& edit, Scaled& scaled) const
    {
        LayerWeights& weights = scaled.weights;
        for (std::size_t i = 0; i < weights.values.size(); ++i)
            weights.values[i] = float(double(weights.values[i]) * scaled.factor(i));
        for (std::size_t k = 0; k < weights.bias.size(); ++k)
            weights.bias[k] = float(double(weights.bias[k]) / scaled.made[k]);
        const NodeId id = scaled.layer.weights;
        edit.replace(id, withValues(m_graph.node(id), weights.values));
        if (!weights.bias.empty())
            scaleBias(edit, scaled);
    }

    void scaleBias(GraphEdit& edit, const Scaled& scaled) const
    {
        const Node& node = m_graph.node(scaled.layer.bias);
        NodeDraft draft = withValues(node, scaled.weights.bias);
        divideStatistics(scaled.made, node, draft);
        edit.replace(scaled.layer.bias, std::move(draft));
    }

    void scaleClip(GraphEdit& edit, NodeId clip, const std::vector<double>& scale) const
    {
        const Node& node = m_graph.node(clip);
        std::vector<float> limits(1, 6);
        NodeId constant;
        if (node.op() != "Relu6") {
            const NodeId first = dataInput(m_graph, clip, 0).node;
            constant = isFloatConst(m_graph, first) ? first : dataInput(m_graph, clip, 1).node;
            limits = floatValues(m_graph.node(constant)).value();
        }
        std::vector<float> scaled(scale.size());
        for (std::size_t k = 0; k < scaled.size(); ++k)
            scaled[k] = float(double(limits[limits.size() > 1 ? k : 0]) / scale[k]);
        if (constant.isValid()) {
            NodeDraft draft = NodeDraft::of(m_graph.node(constant));
            draft.setAttr(
                "value", floatConst("", {std::int64_t(scaled.size())}, scaled).attrs.back().second);
            edit.replace(constant, std::move(draft));
            return;
        }
        NodeDraft relu = NodeDraft::of(node);
        relu.op = "Relu";
        if (m_options.relu6 == Relu6::Relu) {
            edit.replace(clip, std::move(relu));
            return;
        }
        const std::string name(node.name());
        NodeDraft minimum = newNode(name, "Minimum", {name + "/relu", name + "/clip"});
        minimum.device = node.device();
        copyAttr(node, "T", minimum);
        relu.name = name + "/relu";
        NodeDraft limit = floatConst(name + "/clip", {std::int64_t(scaled.size())}, scaled);
        limit.device = node.device();
        edit.addAt(clip, std::move(relu), {clip});
        edit.addAt(clip, std::move(limit), {clip});
        edit.replace(clip, std::move(minimum));
    }

    GraphPtr m_base;
    const Graph& m_graph;
    NodeNames m_kept;
    Options m_options;
    Findings* m_findings;
    std::vector<Scaled> m_scaled;
    std::map<std::uint32_t, std::size_t> m_places; // in m_scaled, by the id of the product
    std::vector<Pair> m_pairs;
};

Result<EditResult> equalize(const GraphPtr& graph, const PassArgs& args, const Job& job,
                            Findings* findings)
{
    ASSIGN_OR_RETURN(auto options, optionsOf(args.parameters));
    return Equalizer(graph, args, std::move(options), findings).run(job);
}

} // namespace

const Pass passes::equalizeLayers{
    .name = "equalize_layers",
    .summary =
        "Equalizes the weight ranges of channels across consecutive layers, for quantization.",
    .before = "a = Relu6(BiasAdd(Conv2D(x, w), b))\n"
              "y = Conv2D(a, v)",
    .after = "a = Minimum(Relu(BiasAdd(Conv2D(x, w / s), b / s)), 6 / s)\n"
             "y = Conv2D(a, v * s)",
    .declines = "Layers that something else than layers reads through Relu, Relu6, LeakyRelu, "
                "pooling, padding, Reshape, Squeeze and Mean of rows and columns; weights that "
                "others read, that hold NaN, or that are inputs or outputs of the model; layers "
                "in ignore_node; and channels that are 0 on one side. Run it after "
                "fold_old_batch_norms and drop_dead_channels.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = OneWalk<equalize>::find,
    .run = OneWalk<equalize>::run,
    .repeats = true,
};

} // namespace lapidary
