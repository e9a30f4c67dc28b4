// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/function.h"
#include "graph_model/interface/completed_result.h"
#include "graph_model/interface/flow.h"
#include "graph_model/interface/part_finder.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace lapidary {
namespace {

bool isLayerOp(std::string_view op)
{
    const OpFamily family = opFamily(op);
    return family == OpFamily::HeavyMaths || family == OpFamily::Normalization ||
           op.find("Gather") != std::string_view::npos || op.starts_with("SparseTensorDenseMatMul");
}

bool concludesResult(std::string_view op)
{
    return isActivation(op) || isPassThrough(op) || keepsElements(op) || convertsElements(op) ||
           op == "Softmax" || op == "LogSoftmax" || op == "ArgMax" || op == "Transpose" ||
           op == "BiasAdd" || op.starts_with("TopK") || op.starts_with("NonMaxSuppression") ||
           op.starts_with("CTCGreedy") || op.starts_with("CTCBeam");
}

// Returns whether a node is an argument of a function for a variable of its caller.
bool isVariableArgument(const Node& node)
{
    return isFunctionArgument(node.op()) && node.attr("T").asType() == DType::Resource;
}

} // namespace

PartFinder::PartFinder(const Graph& graph, std::span<const NodeId> results)
    : m_graph(graph)
    , m_results(results)
    , m_order(topologicalOrder(graph))
    , m_kinds(graph, kindsOf)
    , m_gradients(trainingGradients(graph))
    , m_part(graph.size(), Part::Network)
    , m_isSettled(graph.size(), false)
    , m_isResult(graph.size(), false)
{
    for (const NodeId id : results)
        m_isResult[id.value] = true;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (isVariableArgument(graph.node(NodeId{i})))
            m_kinds.countAsVariable(NodeId{i});
    m_kinds.countStoredValues(graph);
}

PartFinder::OpKinds PartFinder::kindsOf(std::string_view op)
{
    return {.effect = opEffect(op),
            .isSource = isFedOp(op) || isPipelineOp(op),
            .isFed = isFedOp(op),
            .isVariable = isVariable(op),
            .deliversWeight = deliversWeight(op),
            .isHeavy = opFamily(op) == OpFamily::HeavyMaths,
            .isLayer = isLayerOp(op),
            .asksForSize = asksForSize(op),
            .concludes = concludesResult(op),
            .addsUp = opFamily(op) == OpFamily::Pooling,
            .joins = isAddition(op) || op == "AddN" || op == "Pack",
            .isSampler = op.ends_with("CandidateSampler"),
            .isBlank = op == "ZerosLike" || op == "OnesLike",
            .isVoid = op == "NoOp" || op == "ControlTrigger"};
}

bool PartFinder::callsTo(NodeId id, CallKind kind, OpEffect effect) const
{
    const FunctionLibrary* library = m_graph.functions();
    const Node& node = m_graph.node(id);
    if (library == nullptr || callKind(node.op()) != kind)
        return false;
    const auto hasEffect = [&](const FunctionPtr& function) {
        return effectsOf(*function)[std::size_t(effect)];
    };
    return std::ranges::any_of(calledFunctions(m_graph, node, *library), hasEffect);
}

// Examines each body once, regardless of the number of calls.
const PartFinder::Effects& PartFinder::effectsOf(const Function& function) const
{
    const auto [known, isNew] = m_effects.try_emplace(&function);
    if (isNew)
        for (const NodePtr& inner : function.body->nodes())
            known->second[std::size_t(opEffect(inner->op()))] = true;
    return known->second;
}

// Returns whether a value is used in a computation.
bool PartFinder::isUsed(NodeId id) const
{
    constexpr std::size_t mostNodes = 1000;
    std::vector<NodeId> open{id};
    std::unordered_set<std::uint32_t> seen; // files may have cycles
    while (!open.empty() && seen.size() < mostNodes) {
        const NodeId at = open.back();
        open.pop_back();
        for (const Consumer& reader : m_graph.consumers(at)) {
            if (reader.isControl())
                continue;
            if (!isPassThrough(m_graph.node(reader.node).op()))
                return true;
            if (seen.insert(reader.node.value).second)
                open.push_back(reader.node);
        }
    }
    return !open.empty();
}

bool isScalar(const Node& node)
{
    const auto shape = node.attr("shape").asShape();
    return node.op() == "PlaceholderWithDefault" ||
           (shape && !shape->unknownRank && shape->dims.empty() &&
            node.attr("dtype").asType() == DType::Bool);
}

// Returns whether a node is the sum of fed data and the network's result, and is compared with a
// label.
bool PartFinder::isCompleted(NodeId id) const
{
    return m_judges && isCompletedResult(m_graph, id, [this](NodeId from) { return isData(from); });
}

// Returns whether a node combines data that does not depend on weights (labels, targets) with data
// that does.
bool PartFinder::comparesWithData(NodeId id) const
{
    const std::string_view op = m_graph.node(id).op();
    if (m_steered[id.value] || isSwitch(op) || isMerge(op) || m_kinds[id.value].isHeavy ||
        gathersTensors(op) || isCompleted(id))
        return false;
    bool hasResult = false;
    bool hasData = false;
    for (const Endpoint& input : comparedInputs(m_graph, id)) {
        if (!input.node.isValid() || input.isControl())
            continue;
        const std::size_t from = input.node.value;
        hasResult = hasResult || (m_weighted[from] && m_content[from]);
        hasData = hasData || isData(input.node);
    }
    return hasResult && hasData;
}

void PartFinder::lookForwards()
{
    for (auto* flags : {&m_content, &m_weighted, &m_layers, &m_measured, &m_restored, &m_sampled,
                        &m_trained, &m_steered})
        flags->assign(m_graph.size(), false);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const OpKinds& kinds = m_kinds[i];
        m_trains = m_trains || kinds.effect == OpEffect::Train;
        m_content[i] = kinds.isSource && !isScalar(m_graph.node(NodeId{i}));
        m_weighted[i] = kinds.isVariable;
        m_restored[i] = kinds.effect == OpEffect::Save;
        m_sampled[i] = kinds.isSampler;
    }
    m_steered = m_gradients;
    const auto always = [](NodeId) { return true; };
    for (NodeFlags* flags : {&m_restored, &m_sampled, &m_steered})
        flowToReaders(m_graph, *flags, always);
    const auto computes = [this](NodeId id) { return !m_kinds[id.value].asksForSize; };
    flowToReaders(m_graph, m_content, computes);
    flowToReaders(m_graph, m_weighted,
                  [&](NodeId id) { return computes(id) && !m_kinds[id.value].isSource; });
    findTrained();
}

void PartFinder::findTrained()
{
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const auto inputs = m_graph.inputs(NodeId{i});
        const bool changes = m_kinds[i].effect == OpEffect::Train ||
                             (m_kinds[i].effect == OpEffect::Scatter && inputs.size() > 2 &&
                              inputs[2].node.isValid() && m_steered[inputs[2].node.value]);
        const NodeId value = inputs.empty() ? NodeId{} : inputs.back().node;
        m_trains = m_trains || changes;
        m_judges =
            m_judges || m_trains ||
            (m_kinds[i].effect == OpEffect::Assign && value.isValid() && m_content[value.value]);
        if (changes && !inputs.empty() && inputs[0].node.isValid())
            m_trained[inputs[0].node.value] = true;
    }
    m_learned = m_trained;
    flowToReaders(m_graph, m_learned, [](NodeId) { return true; });
}

// Removes layers that belong to the loss: it may look up trained weights by the labels, as that of
// a random field does. Look-ups with only sums after them belong to it, if the graph has layers
// that compute more.
void PartFinder::dropComparisons(std::vector<NodeId>& layers) const
{
    const auto isWork = [this](NodeId id) { return m_kinds[id.value].isHeavy; };
    if (!m_trains || std::ranges::none_of(layers, isWork))
        return;
    NodeFlags leads(m_graph.size(), false);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const std::string_view op = m_graph.node(NodeId{i}).op();
        leads[i] = !m_gradients[i] && m_content[i] && m_weighted[i] &&
                   (op == "Softmax" || op == "Sigmoid" || op == "ArgMax" || op == "Tanh" ||
                    op.starts_with("TopK"));
    }
    for (const NodeId id : layers)
        leads[id.value] = leads[id.value] || isWork(id);
    flowToInputs(m_graph, leads, [this](NodeId id) { return !m_gradients[id.value]; });
    std::erase_if(layers, [&](NodeId id) { return !leads[id.value]; });
}

void PartFinder::findLayers()
{
    std::vector<NodeId> layers;
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        if (isLayer(NodeId{i}))
            layers.push_back(NodeId{i});
    dropComparisons(layers);
    // Weights that are computed from something else, such as a fed mask, still make layers; and if
    // there are no others, so does any arithmetic with a trained weight.
    for (std::uint32_t i = 0; layers.empty() && m_judges && i < m_graph.size(); ++i)
        if (m_kinds[i].isHeavy && !m_isSettled[i] && m_content[i] && m_weighted[i])
            layers.push_back(NodeId{i});
    if (layers.empty() && m_trains)
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (meetsTrained(NodeId{i}))
                layers.push_back(NodeId{i});
    growUp(std::move(layers), m_layers);
}

// Fed data that leads to no layer are labels, targets, or rewards, and nodes that combine them with
// results are measures. A network that reproduces its input is compared with its input.
void PartFinder::findMeasures()
{
    NodeFlags isLabel(m_graph.size(), false);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        if (!m_kinds[i].isSource || !m_content[i])
            continue;
        std::set<std::int32_t> toLayers; // ports
        for (const Consumer& reader : m_graph.consumers(NodeId{i}))
            if (m_layers[reader.node.value])
                toLayers.insert(reader.port);
        for (const Consumer& reader : m_graph.consumers(NodeId{i}))
            if (!reader.isControl() && !toLayers.contains(reader.port) &&
                !m_kinds[reader.node.value].asksForSize && !isCompleted(reader.node))
                isLabel[reader.node.value] = true;
    }
    spread(isLabel);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        m_measured[i] = isLabel[i] && m_weighted[i] && m_judges;
        m_hasLabels = m_hasLabels || (m_measured[i] && !m_isSettled[i]);
    }
    for (std::uint32_t i = 0; i < m_graph.size() && !m_hasLabels; ++i)
        m_measured[i] = m_judges && !m_layers[i] && comparesWithData(NodeId{i});
    if (m_hasLabels)
        findReproductions();
    spread(m_measured);
}

// A network may reproduce its input in training and be compared with labels elsewhere, as when it
// is validated. A difference from the input that is compared with a label is a result.
void PartFinder::findReproductions()
{
    NodeFlags judged = m_measured;
    flowToInputs(m_graph, judged, [this](NodeId id) { return !m_gradients[id.value]; });
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const std::string_view op = m_graph.node(NodeId{i}).op();
        if ((op == "Sub" || op == "SquaredDifference") && !judged[i] && !m_layers[i])
            m_measured[i] = comparesWithData(NodeId{i});
    }
}

// Propagates a flag to everything computed from a node, except layers and nodes that only use its
// size.
void PartFinder::spread(NodeFlags& flags) const
{
    flowToReaders(m_graph, flags, [this](NodeId id) {
        return !m_kinds[id.value].asksForSize && !m_layers[id.value] && !m_steered[id.value];
    });
}

// Returns the variable from which a value comes, unchanged except for its form.
NodeId PartFinder::weightBehind(NodeId id) const
{
    constexpr int farEnough = 8;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const OpKinds& kinds = m_kinds[id.value];
        if (kinds.isVariable)
            return id;
        const auto inputs = m_graph.inputs(id);
        const bool isForm = kinds.deliversWeight || isSwitch(m_graph.node(id).op()) ||
                            keepsElements(m_graph.node(id).op());
        if (!isForm || inputs.empty() || inputs[0].isControl())
            return {};
        id = inputs[0].node;
    }
    return {};
}

// Returns whether a node reads a variable again: a saver may read one and copy the value without
// any reader of its own.
bool PartFinder::readsWeightAgain(NodeId id) const
{
    const auto inputs = m_graph.inputs(id);
    return m_judges && !inputs.empty() && inputs[0].node.isValid() && !inputs[0].isControl() &&
           !m_kinds[id.value].isVariable && !m_kinds[inputs[0].node.value].isVariable;
}

bool PartFinder::meetsTrained(NodeId id) const
{
    bool hasData = false;
    bool hasWeight = false;
    for (const Endpoint& input : m_graph.inputs(id)) {
        if (!input.node.isValid() || input.isControl())
            continue;
        const NodeId weight = weightBehind(input.node);
        hasWeight = hasWeight || (weight.isValid() && m_trained[weight.value]);
        hasData = hasData || (!weight.isValid() && m_content[input.node.value]);
    }
    return hasData && hasWeight && !m_isSettled[id.value];
}

// Returns whether a value is a trained weight after elementwise changes: masked by fed data, or
// quantized.
bool PartFinder::isMadeOfWeight(NodeId id) const
{
    constexpr std::size_t farEnough = 24; // nodes
    std::vector<NodeId> open{id};
    bool hasWeight = false;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const NodeId at = open[i];
        if (m_kinds[at.value].isVariable) {
            hasWeight = hasWeight || m_trained[at.value];
            continue;
        }
        if (m_kinds[at.value].isLayer || m_isSettled[at.value])
            return false;
        for (const Endpoint& input : m_graph.inputs(at))
            if (!input.isControl() && input.node.isValid() &&
                std::ranges::find(open, input.node) == open.end())
                open.push_back(input.node);
        if (open.size() > farEnough)
            return false;
    }
    return hasWeight;
}

// Returns whether weights meet data in a node. A loss that draws wrong classes looks up their
// weights and those of the labels; that is not a layer.
bool PartFinder::isLayer(NodeId id) const
{
    const OpKinds& kinds = m_kinds[id.value];
    if (m_isSettled[id.value] || !kinds.isLayer || m_sampled[id.value])
        return false;
    bool hasData = false;
    bool hasWeight = false;
    for (const Endpoint& input : m_graph.inputs(id)) {
        if (!input.node.isValid() || input.isControl())
            continue;
        const std::size_t from = input.node.value;
        const bool isMasked =
            kinds.isHeavy && m_weighted[from] && m_content[from] && isMadeOfWeight(input.node);
        hasWeight = hasWeight || isMasked || (m_weighted[from] && !m_content[from]);
        hasData = hasData || (m_content[from] && !isMasked);
    }
    return hasWeight && hasData;
}

void PartFinder::growUp(std::vector<NodeId> open, NodeFlags& network) const
{
    const auto visit = [&](NodeId id) {
        if (!id.isValid() || network[id.value] || m_isSettled[id.value] || m_measured[id.value])
            return;
        network[id.value] = true;
        open.push_back(id);
    };
    std::vector<NodeId> starts = std::move(open);
    open.clear();
    for (const NodeId id : starts)
        visit(id);
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        for (const Endpoint& input : m_graph.inputs(id))
            if (!input.isControl())
                visit(input.node);
    }
}

} // namespace lapidary
