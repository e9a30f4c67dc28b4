// SPDX-License-Identifier: Apache-2.0
#include "transforms/convolution/batch_norm.h"

#include "transforms/constants/const_node.h"
#include "transforms/convolution/channel_scale.h"
#include "transforms/convolution/decline.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

struct NormVectors {
    std::vector<float> gamma;
    std::vector<float> beta;
    std::vector<float> mean;
    std::vector<float> variance;
    float epsilon = 0;
    bool usesGamma = true;
};

std::string fault(const Graph& graph, NodeId norm)
{
    const Node& node = graph.node(norm);
    if (std::ranges::any_of(graph.consumers(norm), [](const Consumer& c) { return c.port > 0; }))
        return "has other outputs that are read";
    if (node.op() == "BatchNormWithGlobalNormalization")
        return "";
    if (node.attr("is_training").asBool().value_or(true))
        return "is in training mode";
    if (node.hasAttr("U") && node.attr("U").asType() != DType::Float)
        return "has statistics that are not float";
    return "";
}

Result<NormVectors> readVectors(const Graph& graph, NodeId norm,
                                const std::array<NodeId, 4>& vectors)
{
    const Node& node = graph.node(norm);
    std::array<std::vector<float>, 4> values;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        auto read = floatValues(graph.node(vectors[i]));
        if (!read)
            return decline(graph.node(vectors[i]), read.error().message);
        if (constDims(graph.node(vectors[i])).size() != 1)
            return decline(graph.node(vectors[i]), "is not a vector");
        values[i] = *std::move(read);
    }
    NormVectors norms;
    if (node.op() == "BatchNormWithGlobalNormalization") {
        norms = {values[3],
                 values[2],
                 values[0],
                 values[1],
                 node.attr("variance_epsilon").asFloat().value_or(0),
                 node.attr("scale_after_normalization").asBool().value_or(false)};
    } else {
        constexpr float defaultEpsilon = 0.0001F;
        norms = {values[0],
                 values[1],
                 values[2],
                 values[3],
                 node.attr("epsilon").asFloat().value_or(defaultEpsilon),
                 true};
    }
    const std::size_t size = norms.mean.size();
    if (norms.variance.size() != size || norms.beta.size() != size || norms.gamma.size() != size)
        return decline(node, "has vectors of different lengths");
    return norms;
}

// Returns whether the values of a node are read more than once; control edges do not count.
bool isReadElsewhere(const Graph& graph, NodeId id)
{
    return std::ranges::count_if(graph.consumers(id),
                                 [](const Consumer& c) { return !c.isControl(); }) > 1;
}

} // namespace

Result<NormFactors> normFactors(const Graph& graph, NodeId norm,
                                const std::array<NodeId, 4>& vectors)
{
    if (const std::string why = fault(graph, norm); !why.empty())
        return decline(graph.node(norm), why);
    ASSIGN_OR_RETURN(const auto read, readVectors(graph, norm, vectors));
    const NormVectors& norms = read;
    NormFactors factors;
    for (std::size_t i = 0; i < norms.mean.size(); ++i) {
        float scale = 1.0F / std::sqrt(norms.variance[i] + norms.epsilon);
        if (norms.usesGamma)
            scale *= norms.gamma[i];
        factors.scale.push_back(scale);
        factors.offset.push_back(-norms.mean[i] * scale + norms.beta[i]);
        factors.statistics.mean.push_back(norms.beta[i]);
        factors.statistics.deviation.push_back(norms.usesGamma ? std::abs(norms.gamma[i]) : 1);
    }
    return factors;
}

Result<FoldedConv> foldIntoConv(const Graph& graph, const Match& conv, const NormFactors& factors,
                                std::string_view biasName)
{
    const Node& node = graph.node(conv.node);
    const Node& weights = graph.node(conv.input(1).node);
    if (isReadElsewhere(graph, conv.node))
        return decline(node, "is also read elsewhere");
    if (isReadElsewhere(graph, conv.input(1).node))
        return decline(weights, "is also read elsewhere");
    ASSIGN_OR_RETURN(auto scaled, scaledWeights(node, weights, factors.scale));
    const std::string name(node.name());
    FoldedConv folded{
        std::move(scaled),
        floatConst(name + "_bn_offset", {std::int64_t(factors.offset.size())}, factors.offset),
        newNode(std::string(biasName), "BiasAdd", {name, name + "_bn_offset"})};
    keepStatistics(factors.statistics, folded.offset);
    copyAttr(node, "T", folded.biasAdd);
    copyAttr(node, "data_format", folded.biasAdd);
    return folded;
}

} // namespace lapidary
