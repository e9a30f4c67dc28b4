// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/node_roles.h"

#include "graph_model/interface/completed_result.h"
#include "graph_model/interface/flow.h"
#include "graph_model/interface/name_hints.h"
#include "graph_model/interface/node_kinds.h"
#include "graph_model/interface/op_effects.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether the name is in the default scope of tf.gradients.
bool isInGradientScope(std::string_view name)
{
    for (std::size_t start = 0; start != std::string_view::npos;) {
        const std::size_t slash = name.find('/', start);
        if (slash == std::string_view::npos)
            return false;
        const std::string_view scope = name.substr(start, slash - start);
        if (scope == "gradients" || scope.starts_with("gradients_"))
            return true;
        start = slash + 1;
    }
    return false;
}

bool isTrainingOp(std::string_view op)
{
    return op.find("Apply") != std::string_view::npos;
}

// Returns whether all readers of the node's values have the flag (or are gradients); false without
// readers.
bool allReadersAre(const Graph& graph, NodeId id, const NodeFlags& flag, const NodeRoles& roles)
{
    bool hasReader = false;
    for (const Consumer& consumer : graph.consumers(id)) {
        if (consumer.isControl())
            continue;
        hasReader = true;
        if (!flag[consumer.node.value] && !roles.backward[consumer.node.value])
            return false;
    }
    return hasReader;
}

bool isScalarSetting(const Node& node)
{
    const auto shape = node.attr("shape").asShape();
    const bool isScalar = shape && !shape->unknownRank && shape->dims.empty();
    // In old files, an empty shape means an unknown one.
    return node.op() == "PlaceholderWithDefault" ||
           (isScalar && (node.attr("dtype").asType() == DType::Bool || inputHint(node.name()) < 0));
}

// The properties of an op, looked up once for each op of a graph.
struct OpKinds {
    bool isTraining = false;
    bool isSource = false;
    bool isVariable = false;
    bool isGradient = false;
    bool hasEffect = false;
    bool asksShape = false;
    // Makes a list in which the forward half of a loop keeps values for gradients. It is in the
    // scope of the gradients, but enters the loop empty.
    bool makesList = false;
};

OpKinds roleKindsOf(std::string_view op)
{
    return {.isTraining = isTrainingOp(op),
            .isSource = isFedOp(op) || isPipelineOp(op),
            .isVariable = isVariable(op),
            .isGradient = isGradientOp(op),
            .hasEffect = isRunForEffect(op),
            .asksShape = asksForSize(op),
            .makesList = op == "EmptyTensorList" || op == "TensorListReserve"};
}

class RoleFinder {
public:
    explicit RoleFinder(const Graph& graph);
    NodeRoles run();

private:
    void lookForwards();
    void findLoops();
    void findComparisons();
    bool isComparison(NodeId id) const;
    bool isBesideWeights(NodeId id) const;
    NodeId originOf(NodeId id) const;

    const Graph& m_graph;
    std::vector<NodeId> m_order;
    NodeKinds<OpKinds> m_kinds;
    NodeFlags m_isGradient; // by its op or its scope
    NodeRoles m_roles;
};

RoleFinder::RoleFinder(const Graph& graph)
    : m_graph(graph)
    , m_order(topologicalOrder(graph))
    , m_kinds(graph, roleKindsOf)
{
    m_isGradient.reserve(graph.size());
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        m_isGradient.push_back(
            m_kinds[i].isGradient ||
            (!m_kinds[i].makesList && isInGradientScope(graph.node(NodeId{i}).name())));
    m_kinds.countStoredValues(graph);
    for (auto* flags : {&m_roles.source, &m_roles.fed, &m_roles.content, &m_roles.weighted,
                        &m_roles.backward, &m_roles.effect, &m_roles.trains, &m_roles.keeper,
                        &m_roles.inLoop, &m_roles.measured, &m_roles.compared})
        flags->resize(graph.size());
}

void RoleFinder::lookForwards()
{
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const OpKinds& kinds = m_kinds[i];
        m_roles.source[i] = kinds.isSource;
        m_roles.fed[i] = kinds.isSource;
        m_roles.content[i] = kinds.isSource && !isScalarSetting(m_graph.node(NodeId{i}));
        m_roles.weighted[i] = kinds.isVariable;
        m_roles.backward[i] = m_isGradient[i];
        m_roles.effect[i] = kinds.hasEffect;
    }
    const auto always = [](NodeId) { return true; };
    flowToReaders(m_graph, m_roles.fed, always);
    flowToReaders(m_graph, m_roles.backward,
                  [this](NodeId id) { return !m_kinds[id.value].makesList; });
    const auto computes = [this](NodeId id) { return !m_kinds[id.value].asksShape; };
    flowToReaders(m_graph, m_roles.content, computes);
    flowToReaders(m_graph, m_roles.weighted,
                  [&](NodeId id) { return computes(id) && !m_kinds[id.value].isSource; });
}

// Finds the depth of nodes in loops: an Enter goes one frame in, an Exit one out.
void RoleFinder::findLoops()
{
    std::vector<std::uint32_t> depth(m_graph.size(), 0);
    for (const NodeId id : m_order) {
        const std::string_view op = m_graph.node(id).op();
        std::uint32_t deepest = 0;
        for (const Endpoint& input : m_graph.inputs(id))
            if (input.node.isValid())
                deepest = std::max(deepest, depth[input.node.value]);
        if (isEnter(op))
            ++deepest;
        if (isExit(op) && deepest > 0)
            --deepest;
        depth[id.value] = deepest;
        m_roles.inLoop[id.value] = deepest > 0;
    }
}

// Returns whether a value is data that does not depend on weights: labels, targets, the picture to
// reproduce.
bool RoleFinder::isBesideWeights(NodeId id) const
{
    return m_roles.content[id.value] && !m_roles.weighted[id.value];
}

// Returns an operand of a comparison before it was converted.
NodeId RoleFinder::originOf(NodeId id) const
{
    constexpr int farEnough = 6;
    for (int hop = 0; hop < farEnough; ++hop) {
        const std::string_view op = m_graph.node(id).op();
        const auto inputs = m_graph.inputs(id);
        const bool isForm =
            op == "ArgMax" || op == "Cast" || keepsElements(op) || isPassThrough(op);
        if (!isForm || inputs.empty() || !inputs[0].node.isValid())
            return id;
        id = inputs[0].node;
    }
    return id;
}

bool RoleFinder::isComparison(NodeId id) const
{
    const std::string_view op = m_graph.node(id).op();
    if (m_roles.backward[id.value] || m_roles.effect[id.value] || isSwitch(op) || isMerge(op) ||
        gathersTensors(op))
        return false;
    bool hasResult = false;
    bool hasData = false;
    for (const Endpoint& input : comparedInputs(m_graph, id)) {
        if (!input.node.isValid() || input.isControl())
            continue;
        const std::size_t from = input.node.value;
        hasResult = hasResult || (m_roles.weighted[from] && m_roles.content[from]);
        hasData = hasData || isBesideWeights(input.node);
    }
    return hasResult && hasData &&
           !isCompletedResult(m_graph, id, [this](NodeId from) { return isBesideWeights(from); });
}

void RoleFinder::findComparisons()
{
    for (const NodeId id : m_order) {
        const bool compares = isComparison(id);
        for (const Endpoint& input : m_graph.inputs(id)) {
            if (!input.node.isValid() || input.isControl())
                continue;
            const std::size_t from = input.node.value;
            if (m_roles.measured[from] || compares)
                m_roles.measured[id.value] = true;
            if (compares && m_roles.weighted[from] && !m_roles.measured[from])
                m_roles.compared[originOf(input.node).value] = true;
        }
    }
}

NodeRoles RoleFinder::run()
{
    lookForwards();
    for (auto id = m_order.rbegin(); id != m_order.rend(); ++id) {
        const std::size_t i = id->value;
        m_roles.trains[i] =
            m_roles.effect[i] || allReadersAre(m_graph, *id, m_roles.trains, m_roles);
        m_roles.keeper[i] = m_roles.effect[i] || isSummaryOp(m_graph.node(*id).op()) ||
                            allReadersAre(m_graph, *id, m_roles.keeper, m_roles);
    }
    findLoops();
    if (m_kinds.hasOp(&OpKinds::isTraining))
        findComparisons();
    return std::move(m_roles);
}

} // namespace

NodeRoles nodeRoles(const Graph& graph)
{
    return RoleFinder(graph).run();
}

} // namespace lapidary
