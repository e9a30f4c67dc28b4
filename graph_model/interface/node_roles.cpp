#include "graph_model/interface/node_roles.h"

#include "graph_model/interface/name_hints.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lapidary {
namespace {

template <std::size_t size>
bool isAmong(const std::array<std::string_view, size>& ops, std::string_view op)
{
    return std::ranges::find(ops, op) != ops.end();
}

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

// Transposed convolutions are gradients by name only, so those towards inputs do not count.
bool isGradientOp(std::string_view op)
{
    return op.ends_with("Grad") || op.ends_with("GradV2") || op.ends_with("GradGrad") ||
           op.ends_with("Grads") || contains(op, "BackpropFilter") || op == "SymbolicGradient" ||
           op == "BroadcastGradientArgs";
}

// tf.gradients puts its nodes into a scope of this name if it is not told otherwise.
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

// Ops that are run for their effect, or tell about the process and not about the data.
bool isEffectOp(std::string_view op)
{
    constexpr std::array<std::string_view, 21> exact{"NoOp",
                                                     "Assert",
                                                     "Print",
                                                     "PrintV2",
                                                     "IsVariableInitialized",
                                                     "VarIsInitializedOp",
                                                     "MakeIterator",
                                                     "DestroyResourceOp",
                                                     "ControlTrigger",
                                                     "Abort",
                                                     "WriteFile",
                                                     "CountUpTo",
                                                     "MergeV2Checkpoints",
                                                     "ShardedFilename",
                                                     "InitializeTable",
                                                     "InitializeTableV2",
                                                     "InitializeTableFromTextFile",
                                                     "InitializeTableFromTextFileV2",
                                                     "LookupTableImport",
                                                     "LookupTableImportV2",
                                                     "ShardedFilespec"};
    return isAmong(exact, op) || op.starts_with("Save") || op.starts_with("Restore") ||
           op.starts_with("Assign") || contains(op, "Apply") || contains(op, "Enqueue") ||
           op.starts_with("ResourceScatter") || op.starts_with("ScatterUpdate") ||
           op.starts_with("ScatterAdd") || op.starts_with("ScatterSub") ||
           op.starts_with("QueueClose") || op.starts_with("QueueSize") ||
           contains(op, "Accumulator");
}

bool isSummaryOp(std::string_view op)
{
    return contains(op, "Summary");
}

bool isTrainingOp(std::string_view op)
{
    return contains(op, "Apply");
}

// Whether all that reads the node's values has the flag (or is a gradient); false without readers.
bool allReadersAre(const Graph& graph, NodeId id, const std::vector<bool>& flag,
                   const NodeRoles& roles)
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
    // Old files write no sizes where they mean that nothing is known.
    return node.op() == "PlaceholderWithDefault" ||
           (isScalar && (node.attr("dtype").asType() == DType::Bool || inputHint(node.name()) < 0));
}

// What an op's name says, asked once for each op of a graph.
struct OpKinds {
    bool isSource = false;
    bool isVariable = false;
    bool isGradient = false;
    bool hasEffect = false;
    bool asksShape = false;
};

class RoleFinder {
public:
    explicit RoleFinder(const Graph& graph);
    NodeRoles run();

private:
    const OpKinds& kindsOf(std::string_view op);
    void lookForwards(NodeId id);
    void findLoops();
    void findComparisons();
    bool isComparison(NodeId id) const;
    bool isBesideWeights(NodeId id) const;
    NodeId originOf(NodeId id) const;

    const Graph& m_graph;
    std::vector<NodeId> m_order;
    std::unordered_map<std::string_view, OpKinds> m_kinds; // the names are the graph's
    NodeRoles m_roles;
};

RoleFinder::RoleFinder(const Graph& graph)
    : m_graph(graph)
    , m_order(topologicalOrder(graph))
{
    for (auto* flags : {&m_roles.source, &m_roles.fed, &m_roles.content, &m_roles.weighted,
                        &m_roles.backward, &m_roles.effect, &m_roles.trains, &m_roles.keeper,
                        &m_roles.inLoop, &m_roles.measured, &m_roles.compared})
        flags->resize(graph.size());
}

const OpKinds& RoleFinder::kindsOf(std::string_view op)
{
    const auto [at, isNew] = m_kinds.try_emplace(op);
    if (isNew)
        at->second = {.isSource = isPlaceholderOp(op) || isPipelineOp(op),
                      .isVariable = isVariableOp(op),
                      .isGradient = isGradientOp(op),
                      .hasEffect = isEffectOp(op),
                      .asksShape = isShapeOp(op)};
    return at->second;
}

void RoleFinder::lookForwards(NodeId id)
{
    const Node& node = m_graph.node(id);
    const OpKinds& kinds = kindsOf(node.op());
    const std::size_t i = id.value;
    m_roles.source[i] = kinds.isSource;
    m_roles.fed[i] = m_roles.source[i];
    m_roles.content[i] = m_roles.source[i] && !isScalarSetting(node);
    m_roles.weighted[i] = kinds.isVariable;
    m_roles.backward[i] = kinds.isGradient || isInGradientScope(node.name());
    m_roles.effect[i] = kinds.hasEffect;
    for (const Endpoint& input : m_graph.inputs(id)) {
        if (!input.node.isValid() || input.isControl())
            continue;
        const std::size_t from = input.node.value;
        m_roles.fed[i] = m_roles.fed[i] || m_roles.fed[from];
        m_roles.content[i] = m_roles.content[i] || (m_roles.content[from] && !kinds.asksShape);
        m_roles.weighted[i] = m_roles.weighted[i] || (m_roles.weighted[from] && !kinds.asksShape);
        m_roles.backward[i] = m_roles.backward[i] || m_roles.backward[from];
    }
}

// Enter leads one frame in, Exit one out.
void RoleFinder::findLoops()
{
    std::vector<std::uint32_t> depth(m_graph.size(), 0);
    for (const NodeId id : m_order) {
        const std::string_view op = m_graph.node(id).op();
        std::uint32_t deepest = 0;
        for (const Endpoint& input : m_graph.inputs(id))
            if (input.node.isValid())
                deepest = std::max(deepest, depth[input.node.value]);
        if (op == "Enter" || op == "RefEnter")
            ++deepest;
        if ((op == "Exit" || op == "RefExit") && deepest > 0)
            --deepest;
        depth[id.value] = deepest;
        m_roles.inLoop[id.value] = deepest > 0;
    }
}

// Data that no weight has touched: labels, targets, the picture that is to be drawn again.
bool RoleFinder::isBesideWeights(NodeId id) const
{
    return m_roles.content[id.value] && !m_roles.weighted[id.value];
}

// What a comparison looks at, before it was brought into the form that the comparison needs.
NodeId RoleFinder::originOf(NodeId id) const
{
    constexpr int farEnough = 6;
    for (int hop = 0; hop < farEnough; ++hop) {
        const std::string_view op = m_graph.node(id).op();
        const auto inputs = m_graph.inputs(id);
        const bool isForm = op == "Reshape" || op == "ArgMax" || op == "Squeeze" || op == "Cast" ||
                            op == "ExpandDims" || isPassThroughOp(op);
        if (!isForm || inputs.empty() || !inputs[0].node.isValid())
            return id;
        id = inputs[0].node;
    }
    return id;
}

bool RoleFinder::isComparison(NodeId id) const
{
    const std::string_view op = m_graph.node(id).op();
    if (m_roles.backward[id.value] || m_roles.effect[id.value] || op == "Switch" || op == "Merge")
        return false;
    bool hasResult = false;
    bool hasData = false;
    for (const Endpoint& input : m_graph.inputs(id)) {
        if (!input.node.isValid() || input.isControl())
            continue;
        const std::size_t from = input.node.value;
        hasResult = hasResult || (m_roles.weighted[from] && m_roles.content[from]);
        hasData = hasData || isBesideWeights(input.node);
    }
    return hasResult && hasData;
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
    // A second time for what comes back round a loop, a third for loops in loops.
    constexpr int rounds = 3;
    bool trains = false;
    for (int round = 0; round < rounds; ++round)
        for (const NodeId id : m_order) {
            lookForwards(id);
            trains = trains || isTrainingOp(m_graph.node(id).op());
        }
    for (auto id = m_order.rbegin(); id != m_order.rend(); ++id) {
        const std::size_t i = id->value;
        m_roles.trains[i] =
            m_roles.effect[i] || allReadersAre(m_graph, *id, m_roles.trains, m_roles);
        m_roles.keeper[i] = m_roles.effect[i] || isSummaryOp(m_graph.node(*id).op()) ||
                            allReadersAre(m_graph, *id, m_roles.keeper, m_roles);
    }
    findLoops();
    if (trains)
        findComparisons();
    return std::move(m_roles);
}

} // namespace

bool isPlaceholderOp(std::string_view op)
{
    return op.starts_with("Placeholder") || op == "_Arg" || op == "_DeviceArg" || op == "Arg";
}

bool isPipelineOp(std::string_view op)
{
    constexpr std::array<std::string_view, 9> exact{
        "IteratorGetNext",  "IteratorGetNextSync", "IteratorGetNextAsOptional",
        "ReaderRead",       "ReaderReadV2",        "ReaderReadUpTo",
        "ReaderReadUpToV2", "InfeedDequeue",       "InfeedDequeueTuple"};
    return isAmong(exact, op) || op.starts_with("QueueDequeue") || op.starts_with("_Recv");
}

bool isVariableOp(std::string_view op)
{
    constexpr std::array<std::string_view, 5> exact{"Variable", "VariableV2", "VarHandleOp",
                                                    "TemporaryVariable", "_VarHandlesOp"};
    return isAmong(exact, op);
}

bool isPassThroughOp(std::string_view op)
{
    constexpr std::array<std::string_view, 7> exact{
        "Identity",    "IdentityN",       "StopGradient", "CheckNumerics",
        "EnsureShape", "PreventGradient", "Snapshot"};
    return isAmong(exact, op);
}

bool isShapeOp(std::string_view op)
{
    return op == "Shape" || op == "ShapeN" || op == "Size" || op == "Rank";
}

NodeRoles nodeRoles(const Graph& graph)
{
    return RoleFinder(graph).run();
}

} // namespace lapidary
