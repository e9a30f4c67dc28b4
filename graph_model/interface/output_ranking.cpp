#include "graph_model/interface/interface_ranking.h"
#include "graph_model/ops/node_signature.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

// The readers of one output, by what they are there for.
struct Readers {
    std::size_t working = 0; // compute something further
    std::size_t keeping = 0; // save, train, summarise
    bool onlyPicks = true;   // each working one takes the best of it (ArgMax, TopK)
};

bool isPickingOp(std::string_view op)
{
    return op == "ArgMax" || op.starts_with("TopK") || op == "InTopK" || op == "InTopKV2";
}

bool isConcludingOp(std::string_view op)
{
    constexpr std::array<std::string_view, 8> exact{"Softmax",
                                                    "LogSoftmax",
                                                    "Sigmoid",
                                                    "ArgMax",
                                                    "CTCGreedyDecoder",
                                                    "CTCBeamSearchDecoder",
                                                    "CombinedNonMaxSuppression",
                                                    "QuantizedSoftmax"};
    return std::ranges::find(exact, op) != exact.end() || op.starts_with("TopK") ||
           op.starts_with("NonMaxSuppression");
}

bool isReshapingOp(std::string_view op)
{
    return op == "Reshape" || op == "Squeeze" || op == "ExpandDims" || op == "Dequantize" ||
           op == "Cast" || op == "Transpose";
}

bool isShapeOp(std::string_view op)
{
    return op == "Shape" || op == "ShapeN" || op == "Size" || op == "Rank";
}

bool neverAnOutput(const Node& node)
{
    const std::string_view op = node.op();
    return op == "NoOp" || op == "VarHandleOp" || op == "Assert" || op == "LoopCond" ||
           op == "NextIteration" || op == "Enter" || op == "ControlTrigger" ||
           op.starts_with("Iterator") || op.ends_with("Dataset") || op.ends_with("DatasetV2") ||
           op.find("Queue") == 0 || op.find("HashTable") != std::string_view::npos;
}

std::int64_t portsOf(const Node& node)
{
    constexpr std::int64_t most = 64;
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return 1;
    return std::min(outputLength(node, *op).value_or(1), most);
}

class OutputRanking {
public:
    OutputRanking(const Graph& graph, const NodeRoles& roles)
        : m_graph(graph)
        , m_roles(roles)
        , m_reach(graph)
        , m_hasSources(std::ranges::find(roles.source, true) != roles.source.end())
    {
    }
    std::vector<Weighed> run();

private:
    Readers readersOf(NodeId id, std::int32_t port) const;
    std::string_view concludingOp(NodeId id) const;
    bool isLoss(NodeId id) const;
    bool isBranchSignal(NodeId id) const;
    void consider(NodeId id, std::int32_t port);
    void weighReaders(const Readers& readers, std::string_view concluding, Weighed& weighed) const;
    void weighNode(NodeId id, Weighed& weighed) const;
    void weighNeeds();

    const Graph& m_graph;
    const NodeRoles& m_roles;
    ReachCounter m_reach;
    bool m_hasSources;
    std::vector<Weighed> m_all;
};

Readers OutputRanking::readersOf(NodeId id, std::int32_t port) const
{
    Readers readers;
    for (const Consumer& consumer : m_graph.consumers(id)) {
        if (consumer.isControl() || consumer.port != port)
            continue;
        const std::size_t reader = consumer.node.value;
        const std::string_view op = m_graph.node(consumer.node).op();
        if (m_roles.keeper[reader] || m_roles.backward[reader] || isShapeOp(op)) {
            ++readers.keeping;
            continue;
        }
        ++readers.working;
        readers.onlyPicks = readers.onlyPicks && isPickingOp(op);
    }
    return readers;
}

// The op that concluded what this node passes on; empty if none did.
std::string_view OutputRanking::concludingOp(NodeId id) const
{
    constexpr int farEnough = 6;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const std::string_view op = m_graph.node(id).op();
        if (isConcludingOp(op))
            return op;
        const auto inputs = m_graph.inputs(id);
        if ((!isPassThroughOp(op) && !isReshapingOp(op)) || inputs.empty())
            return {};
        id = inputs[0].node;
    }
    return {};
}

bool OutputRanking::isLoss(NodeId id) const
{
    constexpr int farEnough = 6;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const std::string_view op = m_graph.node(id).op();
        if (isLossOp(op))
            return true;
        const auto inputs = m_graph.inputs(id);
        const bool passes = isPassThroughOp(op) || op == "Mean" || op == "Sum" || op == "Mul" ||
                            op == "RealDiv" || op == "Add" || op == "AddV2" || op == "AddN" ||
                            op == "DivNoNan" || op == "Select" || op == "Reshape";
        if (!passes || inputs.empty())
            return false;
        id = inputs[0].node;
    }
    return false;
}

// Identity of a Switch that switches its own condition: it only starts a branch.
bool OutputRanking::isBranchSignal(NodeId id) const
{
    const auto inputs = m_graph.inputs(id);
    if (!isPassThroughOp(m_graph.node(id).op()) || inputs.empty() || !inputs[0].node.isValid())
        return false;
    const NodeId source = inputs[0].node;
    const auto switched = m_graph.inputs(source);
    return m_graph.node(source).op() == "Switch" && switched.size() >= 2 &&
           switched[0].node == switched[1].node;
}

void OutputRanking::weighReaders(const Readers& readers, std::string_view concluding,
                                 Weighed& weighed) const
{
    if (readers.working == 0 && readers.keeping == 0)
        weighed.weigh(2, "nobody reads it");
    else if (readers.working == 0)
        weighed.weigh(1.5, "read only to save, train or measure");
    else if (readers.onlyPicks)
        weighed.weigh(0.8, "only its best entries are read further on");
    else
        weighed.weigh(-1.5, "other nodes compute with it");
    if (!concluding.empty())
        weighed.weigh(0.9, "after " + std::string(concluding));
}

void OutputRanking::weighNode(NodeId id, Weighed& weighed) const
{
    const Node& node = m_graph.node(id);
    const std::string_view op = node.op();
    if (op == "_Retval" || op == "_DeviceRetval")
        weighed.weigh(2, "a result of the function");
    if (op == "Const")
        weighed.weigh(-2, "a constant");
    else if (m_roles.source[id.value])
        weighed.weigh(-2, "an input itself");
    else if (isVariableOp(op))
        weighed.weigh(-2.5, "a variable");
    else if (m_hasSources && !m_roles.fed[id.value])
        weighed.weigh(-2, "depends on no input");
    else if (m_hasSources)
        weighed.weigh(0.5, "depends on an input");
    if (isBranchSignal(id))
        weighed.weigh(-2.5, "only steers a branch");
    if (isLoss(id))
        weighed.weigh(-0.8, "a loss");
    const double hint = outputHint(node.name());
    if (hint != 0)
        weighed.weigh(0.5 * hint, hint > 0 ? "named like an output" : "named like a by-product");
}

void OutputRanking::consider(NodeId id, std::int32_t port)
{
    const Readers readers = readersOf(id, port);
    const std::string_view concluding = concludingOp(id);
    const bool isHinted = outputHint(m_graph.node(id).name()) > 0;
    if (readers.working > 0 && !isConcludingOp(m_graph.node(id).op()) && !isHinted)
        return;
    Weighed weighed;
    weighed.candidate = candidateFor(m_graph, id, port);
    weighReaders(readers, concluding, weighed);
    weighNode(id, weighed);
    weighed.points -= 0.05 * port;
    m_all.push_back(std::move(weighed));
}

// What needs most of the graph is its purpose; what needs little is a by-product.
void OutputRanking::weighNeeds()
{
    std::ranges::stable_sort(m_all, std::ranges::greater{}, &Weighed::points);
    std::vector<std::optional<std::size_t>> needs;
    std::size_t most = 1;
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        const NodeId id = m_all[i].candidate.node;
        const bool isSame = i > 0 && m_all[i - 1].candidate.node == id;
        needs.push_back(isSame ? needs.back() : m_reach.count(id, Direction::ToInputs));
        most = std::max(most, needs.back().value_or(0));
    }
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        if (!needs[i])
            continue;
        const double share = double(*needs[i]) / double(most);
        m_all[i].weigh(2 * share, "needs " + std::to_string(*needs[i]) + " nodes");
    }
}

std::vector<Weighed> OutputRanking::run()
{
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const Node& node = m_graph.node(NodeId{i});
        if (m_roles.keeper[i] && !isConcludingOp(node.op()) && m_graph.consumers(NodeId{i}).empty())
            continue;
        if (m_roles.backward[i] || neverAnOutput(node))
            continue;
        const std::int64_t ports = node.op() == "_Retval" ? 1 : portsOf(node);
        for (std::int32_t port = 0; port < ports; ++port)
            consider(NodeId{i}, port);
    }
    weighNeeds();
    return std::move(m_all);
}

} // namespace

std::vector<Weighed> weighOutputs(const Graph& graph, const NodeRoles& roles)
{
    return OutputRanking(graph, roles).run();
}

} // namespace lapidary
