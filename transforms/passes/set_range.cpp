// SPDX-License-Identifier: Apache-2.0
// set_range
//
// Replaces a measured or frozen range by two constants, for one node and its readers only. Nodes
// that only served the old range are removed. Not an original transform.
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"
#include "transforms/layers/layer.h"
#include "transforms/pass/chosen_nodes.h"
#include "transforms/pass/interface_names.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace lapidary {
namespace {

constexpr std::array parameters{
    nodeParameter,
    ParameterSpec{.name = "min",
                  .type = ParameterType::Float,
                  .help = "lower end of the range, at most 0",
                  .isRequired = true},
    ParameterSpec{.name = "max",
                  .type = ParameterType::Float,
                  .help = "upper end of the range, at least 0",
                  .isRequired = true},
};

struct Bound {
    const char* suffix; // suffix of a constant that is added
    std::uint32_t slot; // slot among the node's inputs
    float number;
};

struct RangeEdit {
    std::vector<NodeId> nodes;
    float min = 0;
    float max = 0;

    std::array<Bound, 2> bounds(const Node& node) const
    {
        const std::uint32_t slot = rangeInput(node.op()).value_or(0);
        return {Bound{"/range_min", slot, min}, Bound{"/range_max", slot + 1, max}};
    }
};

Error fault(const std::string& why)
{
    return {ErrorCode::InvalidArgument, "set_range: " + why};
}

Result<RangeEdit> rangeEditOf(const Graph& graph, const Parameters& given)
{
    RangeEdit edit;
    ASSIGN_OR_RETURN(edit.nodes, chosenNodes(graph, given, "set_range"));
    for (const char* name : {"min", "max"})
        RETURN_IF_ERROR(given.required(name, "set_range"));
    ASSIGN_OR_RETURN(edit.min, given.oneFloat("min", 0));
    ASSIGN_OR_RETURN(edit.max, given.oneFloat("max", 0));
    const bool isFinite = std::isfinite(edit.min) && std::isfinite(edit.max);
    if (!isFinite || edit.min > 0 || edit.max < 0 || edit.min == edit.max)
        return fault("the range must contain 0: min at most 0, max at least 0, and not both 0");
    for (const NodeId id : edit.nodes) {
        const Node& node = graph.node(id);
        const auto slot = rangeInput(node.op());
        if (!slot)
            return fault(std::string(node.name()) + " is a " + std::string(node.op()) +
                         ", which takes no range; name the quantizing node, such as a QuantizeV2 "
                         "or a Requantize");
        for (const std::uint32_t at : {*slot, *slot + 1})
            if (at >= graph.inputs(id).size() || graph.inputs(id)[at].isControl() ||
                !graph.inputs(id)[at].node.isValid())
                return fault(std::string(node.name()) + " lacks the inputs that are its range");
    }
    return edit;
}

bool isConstantOf(const Node& node, float number)
{
    if (!isConstant(node.op()))
        return false;
    const auto values = floatValues(node);
    return values.ok() && values->size() == 1 && values->front() == number;
}

bool isSetAlready(const Graph& graph, NodeId id, const RangeEdit& edit)
{
    return std::ranges::all_of(edit.bounds(graph.node(id)), [&](const Bound& bound) {
        return isConstantOf(graph.node(graph.inputs(id)[bound.slot].node), bound.number);
    });
}

// Makes a range constant, and removes nodes that are no longer read.
class RangeSetter {
public:
    RangeSetter(const GraphPtr& graph, const PassArgs& args)
        : m_graph(*graph)
        , m_edit(graph)
        , m_kept(interfaceNodes(args))
        , m_isGone(graph->size())
    {
    }

    void set(NodeId id, const RangeEdit& range)
    {
        const Node& node = m_graph.node(id);
        NodeDraft draft = NodeDraft::of(node);
        for (const Bound& bound : range.bounds(node)) {
            const NodeId before = m_graph.inputs(id)[bound.slot].node;
            const bool isOwn = isOwnConstant(before);
            const std::string name = isOwn ? std::string(m_graph.node(before).name())
                                           : freeName(std::string(node.name()) + bound.suffix);
            NodeDraft constant = floatScalar(name, bound.number);
            constant.device = node.device();
            for (const Input& input : m_graph.node(before).inputs())
                if (input.isControl())
                    constant.inputs.emplace_back(input.text);
            if (isOwn) {
                m_edit.replace(before, std::move(constant));
                continue;
            }
            m_edit.addAt(id, std::move(constant), {before});
            draft.inputs[bound.slot] = name;
            m_cut.push_back({id, bound.slot});
        }
        m_edit.replace(id, std::move(draft));
        m_edit.countPlaces(1);
    }

    Result<EditResult> finish() &&
    {
        for (const Reading& reading : std::vector(m_cut))
            removeUnread(m_graph.inputs(reading.node)[reading.slot].node);
        return std::move(m_edit).finish();
    }

private:
    struct Reading {
        NodeId node;
        std::uint32_t slot = 0;
    };

    // Returns whether a constant is read only once, as one from an earlier step is.
    bool isOwnConstant(NodeId id) const
    {
        const Node& node = m_graph.node(id);
        return isConstant(node.op()) && !m_kept.contains(node.name()) &&
               m_graph.consumers(id).size() == 1;
    }
    std::string freeName(const std::string& name) const
    {
        std::string free = name;
        for (int i = 1; m_graph.find(free).isValid(); ++i)
            free = name + "_" + std::to_string(i);
        return free;
    }
    bool isUnread(NodeId id) const
    {
        return std::ranges::all_of(m_graph.consumers(id), [&](const Consumer& reader) {
            return m_isGone[reader.node.value] ||
                   std::ranges::any_of(m_cut, [&](const Reading& cut) {
                       return cut.node == reader.node && cut.slot == reader.slot;
                   });
        });
    }
    void removeUnread(NodeId first)
    {
        std::vector<NodeId> open{first};
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            if (!id.isValid() || m_isGone[id.value])
                continue;
            const Node& node = m_graph.node(id);
            const OpSpec* op = findOp(node.op());
            const bool hasEffect = op == nullptr || op->isStateful || isFedOp(node.op());
            if (hasEffect || m_kept.contains(node.name()) || !isUnread(id))
                continue;
            m_isGone[id.value] = true;
            m_edit.remove(id, "its range was replaced");
            for (const Endpoint& input : m_graph.inputs(id))
                open.push_back(input.node);
        }
    }

    const Graph& m_graph;
    GraphEdit m_edit;
    std::set<std::string, std::less<>> m_kept;
    std::vector<Reading> m_cut;
    std::vector<bool> m_isGone;
};

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    ASSIGN_OR_RETURN(const RangeEdit edit, rangeEditOf(*graph, args.parameters));
    Findings findings;
    for (const NodeId id : edit.nodes)
        findings.push_back(
            {{id}, isSetAlready(*graph, id, edit) ? "it has this range already" : ""});
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    ASSIGN_OR_RETURN(const RangeEdit edit, rangeEditOf(*graph, args.parameters));
    RangeSetter setter(graph, args);
    for (const NodeId id : edit.nodes)
        if (!isSetAlready(*graph, id, edit))
            setter.set(id, edit);
    return std::move(setter).finish();
}

} // namespace

const Pass passes::setRange{
    .name = "set_range",
    .summary = "Sets the range of a quantized tensor by hand.",
    .before = "q = QuantizeV2(x, Min(x), Max(x))",
    .after = "q = QuantizeV2(x, q/range_min, q/range_max), two Const, with name=q, min=-1, max=6",
    .declines = "A node that is given no range, and a range that does not hold 0, are errors. What "
                "measured the old range goes with it unless something else reads it or it is an "
                "input or output.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
