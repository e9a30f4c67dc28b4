// SPDX-License-Identifier: Apache-2.0
// Finds gradients from two sides: some ops only exist for them, and the values that an optimizer
// applies are gradients. So is everything computed from a gradient, and everything that only serves
// gradients, such as the first factors after the loss.
#include "graph_model/interface/node_kinds.h"
#include "graph_model/interface/node_parts.h"
#include "graph_model/interface/op_effects.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/declared_shapes.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lapidary {
namespace {

struct GradientOpKinds {
    bool isGradient = false; // for certain
    bool isEffect = false;
    bool trains = false;
    bool updatesRows = false;
    bool isExit = false;
    bool asksForSize = false;
    bool isSource = false;
    bool isVariable = false;
    std::int32_t gradientPort = -1;           // number of the output that is a gradient
    std::vector<std::uint32_t> gradientSlots; // inputs of an op that trains
};

bool isGradientSlot(std::string_view argument)
{
    return argument == "grad" || argument == "delta" || argument == "gradient" ||
           argument == "gradients" || argument == "indices";
}

// Returns the output of a cross entropy that is its gradient, beside the loss; -1 for other ops.
std::int32_t gradientPortOf(std::string_view op)
{
    const OpSpec* spec = findOp(op);
    for (std::size_t i = 1; spec != nullptr && i < spec->outputs.size(); ++i)
        if (spec->outputs[i].name == "backprop" || spec->outputs[i].name == "gradient")
            return std::int32_t(i);
    return -1;
}

GradientOpKinds gradientKindsOf(std::string_view op)
{
    GradientOpKinds kinds;
    kinds.trains = opEffect(op) == OpEffect::Train;
    kinds.isEffect = isRunForEffect(op) || opEffect(op) != OpEffect::None;
    // Loops keep the values that their gradients need on stacks.
    const bool isStack = op.starts_with("Stack") && op != "Stack";
    kinds.isGradient =
        !kinds.isEffect && (isGradientOp(op) || op.starts_with("TensorArrayGrad") || isStack);
    kinds.asksForSize = asksForSize(op);
    kinds.gradientPort = gradientPortOf(op);
    kinds.isVariable = isVariable(op);
    kinds.isSource = isFedOp(op) || isVariable(op) || isPipelineOp(op);
    kinds.updatesRows = opEffect(op) == OpEffect::Scatter;
    kinds.isExit = isExit(op);
    if (kinds.updatesRows)
        kinds.gradientSlots = {1, 2};
    const OpSpec* spec = kinds.trains ? findOp(op) : nullptr;
    for (std::uint32_t i = 0; spec != nullptr && i < spec->inputs.size(); ++i)
        if (isGradientSlot(spec->inputs[i].name))
            kinds.gradientSlots.push_back(i);
    return kinds;
}

class GradientFinder {
public:
    explicit GradientFinder(const Graph& graph)
        : m_graph(graph)
        , m_kinds(graph, gradientKindsOf)
        , m_isGradient(graph.size(), false)
        , m_isStep(graph.size(), false)
        , m_isOnlyAwaited(onlyAwaited())
    {
    }

    NodeFlags run()
    {
        findSteps();
        bool trains = false;
        bool hasVariables = false;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            trains = trains || m_kinds[i].trains;
            hasVariables = hasVariables || m_kinds[i].isVariable;
            if (m_kinds[i].isGradient)
                mark(NodeId{i});
            if (m_kinds[i].gradientPort >= 0)
                markBehindEntropy(NodeId{i});
        }
        // Plain gradient descent on rows is a subtraction. If the weights are constants, nothing is
        // trained, and a gradient is a result.
        if (!trains && (!hasVariables || m_open.empty()))
            return NodeFlags(m_graph.size(), false);
        markSeeds();
        followReaders();
        markTuples();
        findSteered();
        const NodeFlags forward = servesForward();
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            for (const std::uint32_t slot : m_kinds[i].gradientSlots)
                markApplied(NodeId{i}, slot, forward);
        followReaders();
        addServants(forward);
        addDeadEnds();
        return std::move(m_isGradient);
    }

private:
    // Finds the optimizer's steps for an update of rows, whose gradients are summed row by row and,
    // if it has no rate, multiplied by the rate.
    void findSteps()
    {
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const auto inputs = m_graph.inputs(NodeId{i});
            for (const std::uint32_t slot : m_kinds[i].gradientSlots) {
                if (slot >= inputs.size() || !inputs[slot].node.isValid())
                    continue;
                const NodeId given = inputs[slot].node;
                if (m_graph.node(given).op() == "Unique")
                    markSums(given);
                else if (m_kinds[i].updatesRows && isTimesRate(given))
                    m_isStep[given.value] = true;
            }
        }
        for (std::size_t i = 0; i < m_sums.size(); ++i)
            for (const Consumer& reader : m_graph.consumers(m_sums[i]))
                if (!reader.isControl() && !m_kinds[reader.node.value].isEffect)
                    addSum(reader.node);
    }

    void addSum(NodeId id)
    {
        if (m_isStep[id.value])
            return;
        m_isStep[id.value] = true;
        m_sums.push_back(id);
    }

    void markSums(NodeId rows)
    {
        if (!m_rows.insert(rows.value).second)
            return; // for another update
        m_isStep[rows.value] = true;
        for (const Consumer& reader : m_graph.consumers(rows))
            if (reader.port == 1 && m_graph.node(reader.node).op() == "UnsortedSegmentSum")
                addSum(reader.node);
    }

    bool isTimesRate(NodeId id) const
    {
        const auto inputs = m_graph.inputs(id);
        return m_graph.node(id).op() == "Mul" && inputs.size() == 2 &&
               (isRate(inputs[0]) || isRate(inputs[1]));
    }

    // Returns whether a value is a number that was set, not computed from feeds.
    bool isRate(const Endpoint& value) const
    {
        constexpr int farEnough = 4;
        NodeId id = value.node;
        for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
            const auto inputs = m_graph.inputs(id);
            const std::string_view op = m_graph.node(id).op();
            if (isConstant(op) || isVariable(op) || isFedOp(op))
                return true;
            if (inputs.empty() || !(isPassThrough(op) || deliversWeight(op)))
                return false;
            id = inputs[0].node;
        }
        return false;
    }

    // Marks the gradient of a loss of known size, which is a filled scalar: the last one of that
    // form before the first gradient, in the order in which nodes were made.
    void markSeeds()
    {
        NodeId last;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            if (m_kinds[i].isGradient && last.isValid()) {
                mark(last);
                last = {};
            } else if (isScalarFill(NodeId{i})) {
                last = NodeId{i};
            }
        }
    }

    bool isScalarFill(NodeId id) const
    {
        const auto inputs = m_graph.inputs(id);
        if (m_graph.node(id).op() != "Fill" || inputs.size() != 2 || !inputs[0].node.isValid())
            return false;
        const auto sizes = declaredFacts(m_graph, {inputs[0].node, 0}).shape;
        return isConstant(m_graph.node(inputs[0].node).op()) && sizes && elementCount(*sizes) == 0;
    }

    // Marks the readers of the gradient of a cross entropy, and the logarithm that is used for the
    // gradient of its labels.
    void markBehindEntropy(NodeId id)
    {
        for (const Consumer& reader : m_graph.consumers(id))
            if (reader.port == m_kinds[id.value].gradientPort &&
                !m_kinds[reader.node.value].isEffect)
                mark(reader.node);
        const auto inputs = m_graph.inputs(id);
        if (inputs.empty() || !inputs[0].node.isValid() || inputs[0].isControl() ||
            !m_scores.emplace(inputs[0].node.value, inputs[0].port).second)
            return;
        for (const Consumer& reader : m_graph.consumers(inputs[0].node))
            if (reader.port == inputs[0].port && m_graph.node(reader.node).op() == "LogSoftmax")
                mark(reader.node);
    }

    void mark(NodeId id)
    {
        if (m_isGradient[id.value] || m_isStep[id.value])
            return;
        m_isGradient[id.value] = true;
        m_open.push_back(id);
    }

    // Marks everything computed from gradients, up to nodes that use them for an effect.
    void followReaders()
    {
        while (!m_open.empty()) {
            const NodeId id = m_open.back();
            m_open.pop_back();
            for (const Consumer& reader : m_graph.consumers(id))
                if (!reader.isControl() && !m_kinds[reader.node.value].isEffect)
                    mark(reader.node);
        }
    }

    // Returns the nodes that pass on the gradients of an op's inputs, which are released together
    // when all are computed.
    std::vector<NodeId> tupleBehind(NodeId signal) const
    {
        std::vector<NodeId> passed;
        if (!m_graph.consumers(signal).empty() && m_graph.node(signal).op() == "NoOp")
            for (const Consumer& reader : m_graph.consumers(signal)) {
                const auto inputs = m_graph.inputs(reader.node);
                if (inputs.size() == 2 && !inputs[0].isControl() && inputs[1].isControl() &&
                    inputs[0].node.isValid() && isAwaited(inputs[0].node, signal))
                    passed.push_back(reader.node);
            }
        if (passed.size() < 2 && m_graph.inputs(signal).size() < 2)
            passed.clear();
        return passed;
    }

    bool isAwaited(NodeId value, NodeId signal) const
    {
        constexpr std::size_t mostLooked = 256;
        const auto readers = m_graph.consumers(value);
        for (std::size_t i = 0; i < std::min(readers.size(), mostLooked); ++i)
            if (readers[i].isControl() && readers[i].node == signal)
                return true;
        return false;
    }

    void markTuples()
    {
        NodeFlags leads = m_isGradient;
        std::vector<NodeId> open;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (leads[i] || !m_kinds[i].gradientSlots.empty())
                open.push_back(NodeId{i});
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            for (const Endpoint& input : m_graph.inputs(id)) {
                if (input.isControl() || !input.node.isValid() || leads[input.node.value])
                    continue;
                leads[input.node.value] = true;
                open.push_back(input.node);
            }
        }
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const std::vector<NodeId> passed = tupleBehind(NodeId{i});
            if (std::ranges::none_of(passed, [&](NodeId id) { return leads[id.value]; }))
                continue;
            mark(NodeId{i});
            for (const NodeId id : passed) {
                mark(id);
                mark(m_graph.inputs(id)[0].node); // even without a reader
            }
        }
        followReaders();
    }

    // Marks everything that depends on a gradient, including changes of weights.
    void findSteered()
    {
        m_isSteered = m_isGradient;
        std::vector<NodeId> open;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (m_isSteered[i])
                open.push_back(NodeId{i});
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            for (const Consumer& reader : m_graph.consumers(id)) {
                if (reader.isControl() || m_isSteered[reader.node.value])
                    continue;
                m_isSteered[reader.node.value] = true;
                open.push_back(reader.node);
            }
        }
    }

    // Returns the nodes that lead to something other than a gradient: a result, a loss, a summary.
    // Reading only the size of a value does not count.
    NodeFlags servesForward() const
    {
        NodeFlags leads(m_graph.size(), false);
        std::vector<NodeId> open;
        const auto visit = [&](NodeId id) {
            if (!id.isValid() || leads[id.value] || m_isGradient[id.value])
                return;
            leads[id.value] = true;
            open.push_back(id);
        };
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (isForwardEnd(NodeId{i}))
                visit(NodeId{i});
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            for (const Endpoint& input : m_graph.inputs(id))
                if (!input.isControl() || isOnlyAwaited(input.node))
                    visit(input.node);
        }
        return leads;
    }

    // Returns the nodes that are only read by control inputs, or not at all.
    NodeFlags onlyAwaited() const
    {
        NodeFlags flags(m_graph.size(), false);
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            flags[i] = !m_kinds[i].isEffect &&
                       std::ranges::all_of(m_graph.consumers(NodeId{i}), &Consumer::isControl);
        return flags;
    }

    bool isOnlyAwaited(NodeId id) const { return id.isValid() && m_isOnlyAwaited[id.value]; }

    bool isForwardEnd(NodeId id) const
    {
        const GradientOpKinds& kinds = m_kinds[id.value];
        if (m_isSteered[id.value])
            return false;
        if (kinds.isEffect)
            return !kinds.trains && !kinds.updatesRows;
        if (kinds.asksForSize || kinds.isExit)
            return false;
        return std::ranges::all_of(m_graph.consumers(id), [this](const Consumer& reader) {
            return !reader.isControl() && m_kinds[reader.node.value].asksForSize;
        });
    }

    void markApplied(NodeId train, std::uint32_t slot, const NodeFlags& forward)
    {
        const auto inputs = m_graph.inputs(train);
        if (slot >= inputs.size() || inputs[slot].isControl() || !inputs[slot].node.isValid())
            return;
        markGiven(inputs[slot].node, forward);
    }

    void markGiven(NodeId id, const NodeFlags& forward)
    {
        if (m_isStep[id.value]) {
            const auto inputs = m_graph.inputs(id);
            if (inputs.empty())
                return;
            const Endpoint& from = inputs.size() == 2 && isRate(inputs[0]) ? inputs[1] : inputs[0];
            if (!from.isControl() && from.node.isValid() && !m_isStep[from.node.value])
                markGiven(from.node, forward);
        } else if (!m_kinds[id.value].isSource && !forward[id.value]) {
            mark(id);
        }
    }

    // Marks unused nodes that are only computed from nodes which serve gradients: they were made
    // together.
    void addDeadEnds()
    {
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const auto inputs = m_graph.inputs(NodeId{i});
            if (m_isGradient[i] || m_kinds[i].isEffect || inputs.empty() || inputs[0].isControl() ||
                !isOnlyAwaited(NodeId{i}))
                continue;
            m_isGradient[i] = std::ranges::all_of(inputs, [this](const Endpoint& input) {
                return input.isControl() ||
                       (input.node.isValid() && m_isGradient[input.node.value]);
            });
        }
    }

    // Returns whether a value leaves a loop of the forward half, although only gradients read it.
    bool leavesForward(NodeId id, const NodeFlags& forward) const
    {
        const auto inputs = m_graph.inputs(id);
        return m_kinds[id.value].isExit && !inputs.empty() && inputs[0].node.isValid() &&
               forward[inputs[0].node.value];
    }

    void addServants(const NodeFlags& forward)
    {
        std::vector<NodeId> open;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (m_isGradient[i])
                open.push_back(NodeId{i});
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            for (const Endpoint& input : m_graph.inputs(id)) {
                const NodeId from = input.node;
                if (input.isControl() || !from.isValid() || m_isGradient[from.value] ||
                    forward[from.value] || m_isStep[from.value] || leavesForward(from, forward) ||
                    m_kinds[from.value].isSource)
                    continue;
                m_isGradient[from.value] = true;
                open.push_back(from);
            }
        }
    }

    const Graph& m_graph;
    NodeKinds<GradientOpKinds> m_kinds;
    NodeFlags m_isGradient;
    std::vector<NodeId> m_sums;
    NodeFlags m_isStep;             // step of an optimizer, between a gradient and its update
    NodeFlags m_isOnlyAwaited;      // only read by control inputs, without an effect
    NodeFlags m_isSteered;          // depends on a gradient
    std::set<std::uint32_t> m_rows; // those whose sums are marked
    std::set<std::pair<std::uint32_t, std::int32_t>> m_scores; // inputs of cross entropies
    std::vector<NodeId> m_open;
};

} // namespace

NodeFlags trainingGradients(const Graph& graph)
{
    return GradientFinder(graph).run();
}

} // namespace lapidary
