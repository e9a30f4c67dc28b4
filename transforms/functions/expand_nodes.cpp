// SPDX-License-Identifier: Apache-2.0
#include "transforms/functions/expand_nodes.h"

#include "graph_model/base/wire.h"
#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/attr_value.h"
#include "graph_model/graph/graph_edit.h"
#include "graph_model/ops/op_traits.h"
#include "runner/shapes/infer_shapes.h"
#include "transforms/functions/control_depth.h"
#include "transforms/pass/interface_names.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr std::uint32_t fieldFunction = 1; // of FunctionDefLibrary
constexpr std::uint32_t fieldGradient = 2;

// The nodes that replace one.
struct Replaced {
    NodeId id;
    std::vector<NodeDraft> nodes;
};

class GraphExpansion {
public:
    GraphExpansion(const GraphPtr& graph, const PassArgs& args, Expander::Kinds kinds)
        : m_base(graph)
        , m_graph(*graph)
        , m_expander(*graph, kinds)
        , m_interface(interfaceNodes(args))
        , m_inTurn(nodesInTurns(*graph))
        , m_above(graph->size(), Effects::None)
    {
    }

    Result<EditResult> run(const Job& job)
    {
        for (const NodeId id : topologicalOrder(m_graph)) {
            if (job.cancelled())
                return cancelledError();
            const Node& node = m_graph.node(id);
            m_above[id.value] = m_expander.effectsOf(node);
            for (const Endpoint& from : m_graph.inputs(id))
                if (from.node.isValid())
                    m_above[id.value] = m_above[id.value] | m_above[from.node.value];
            if (m_expander.concerns(node) && faultOf(id).empty())
                RETURN_IF_ERROR(expand(id));
        }
        return apply();
    }

    Result<Findings> find(const Job& job)
    {
        Findings findings;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            if (job.cancelled())
                return cancelledError();
            if (m_expander.concerns(m_graph.node(NodeId{i})))
                findings.push_back({{NodeId{i}}, faultOf(NodeId{i})});
        }
        return findings;
    }

private:
    std::string faultOf(NodeId id)
    {
        for (const Endpoint& from : m_graph.inputs(id))
            if (!from.node.isValid())
                return "it reads a missing node";
        const std::string fault = m_expander.fault(m_graph.node(id));
        return fault.empty() ? conditionFault(id) : fault;
    }

    // Returns why a condition does not suit a Switch, which takes one bool; an If also takes a
    // tensor, which is true if it is not empty.
    std::string conditionFault(NodeId id)
    {
        const Node& node = m_graph.node(id);
        if (callKind(node.op()) != CallKind::Branch || node.hasAttr("branches"))
            return {};
        if (!m_shapes) {
            auto shapes = inferShapes(m_graph, {}, Job());
            if (!shapes)
                return shapes.error().message;
            m_shapes.emplace(*std::move(shapes));
        }
        const TensorLabel* condition = m_shapes->find(m_graph.inputs(id).front());
        const bool isScalar =
            condition == nullptr || condition->shape.unknownRank || condition->shape.dims.empty();
        return isScalar ? "" : "its condition is not a scalar";
    }

    bool isFetched(NodeId id) const
    {
        return m_interface.contains(m_graph.node(id).name()) || m_graph.consumers(id).empty();
    }

    bool isNamed(NodeId id) const
    {
        return std::ranges::any_of(m_graph.consumers(id),
                                   [](const Consumer& reader) { return reader.isControl(); });
    }

    // Functions read values, so a reference is copied first.
    std::string valueText(NodeId id, Endpoint from)
    {
        const Node& producer = m_graph.node(from.node);
        const std::string text = outputText(producer.name(), from.port);
        const OpSpec* op = findOp(producer.op());
        const DType type = op == nullptr ? DType::Invalid : outputDtype(producer, *op, from.port);
        if (!isReference(type))
            return text;
        NodeDraft copy;
        copy.name = m_expander.uniqueName(std::string(m_graph.node(id).name()) + "/value");
        copy.op = "Identity";
        copy.inputs = {text};
        copy.setAttr("T", attr::fromType(withoutReference(type)));
        const std::string name = copy.name;
        m_expander.add(std::move(copy));
        return name;
    }

    Status expand(NodeId id)
    {
        ExpansionSite site{.node = NodeDraft::of(m_graph.node(id))};
        site.node.inputs.clear();
        for (const Endpoint& from : m_graph.inputs(id)) {
            if (from.isControl()) {
                site.node.inputs.push_back("^" + std::string(m_graph.node(from.node).name()));
                continue;
            }
            site.node.inputs.push_back(valueText(id, from));
            site.inputEffects.push_back(m_above[from.node.value]);
        }
        site.isNamed = isNamed(id);
        site.isFetched = isFetched(id);
        site.inTurn = m_inTurn[id.value];
        RETURN_IF_ERROR(m_expander.expand(std::move(site)));
        m_replaced.push_back({id, m_expander.take()});
        return Done{};
    }

    void place(GraphEdit& edit, Replaced& replaced) const
    {
        const std::string_view name = m_graph.node(replaced.id).name();
        bool isLeft = false;
        for (NodeDraft& node : replaced.nodes) {
            std::vector<std::string> inputs;
            std::unordered_set<std::string> controls;
            for (std::string& input : node.inputs) {
                input = m_expander.resolved(std::move(input));
                if (!input.starts_with('^') || controls.insert(input).second)
                    inputs.push_back(std::move(input));
            }
            node.inputs = std::move(inputs);
            if (node.name == name) {
                isLeft = true;
                edit.replace(replaced.id, std::move(node));
            } else {
                edit.addAt(replaced.id, std::move(node), {replaced.id});
            }
        }
        if (!isLeft)
            edit.remove(replaced.id, "replaced by the functions that it calls");
    }

    Result<EditResult> apply()
    {
        GraphEdit edit(m_base);
        for (Replaced& replaced : m_replaced)
            place(edit, replaced);
        for (const auto& [from, to] : m_expander.redirects())
            if (m_graph.find(parseInput(from).node).isValid())
                edit.redirect(from, m_expander.resolved(to));
        edit.countPlaces(m_replaced.size());
        ASSIGN_OR_RETURN(EditResult result, std::move(edit).finish());
        if (!m_replaced.empty())
            result.graph = withUsedFunctions(result.graph);
        return result;
    }

    const GraphPtr m_base;
    const Graph& m_graph;
    Expander m_expander;
    std::set<std::string, std::less<>> m_interface;
    std::vector<bool> m_inTurn;
    std::vector<Effects> m_above; // of each node and all nodes before it
    std::vector<Replaced> m_replaced;
    std::optional<InferredShapes> m_shapes; // set when first needed
};

// Returns the functions that are called, directly or not, by nodes of the graph.
std::set<std::string_view> usedFunctions(const Graph& graph, const FunctionLibrary& library)
{
    std::set<std::string_view> used;
    std::vector<FunctionPtr> open;
    const auto visit = [&](const Graph& body) {
        for (const NodePtr& node : body.nodes())
            for (FunctionPtr& called : calledFunctions(body, *node, library))
                if (used.insert(called->name).second)
                    open.push_back(std::move(called));
    };
    visit(graph);
    while (!open.empty()) {
        const FunctionPtr function = open.back();
        open.pop_back();
        visit(*function->body);
        for (const auto& [name, gradient] : library.gradients)
            if (name == function->name)
                if (FunctionPtr found = library.find(gradient);
                    found && used.insert(gradient).second)
                    open.push_back(std::move(found));
    }
    return used;
}

} // namespace

GraphPtr withUsedFunctions(const GraphPtr& graph)
{
    const FunctionLibrary* library = graph->functions();
    if (library == nullptr)
        return graph;
    const std::set<std::string_view> used = usedFunctions(*graph, *library);
    if (std::ranges::all_of(library->functions, [&](const FunctionPtr& function) {
            return used.contains(function->name);
        }))
        return graph;
    std::string encoded;
    WireWriter writer(encoded);
    for (const FunctionPtr& function : library->functions)
        if (used.contains(function->name))
            writer.bytes(fieldFunction, function->encoded);
    for (const auto& [name, gradient] : library->gradients) {
        if (!used.contains(name))
            continue;
        std::string entry;
        WireWriter(entry).bytes(1, name);
        WireWriter(entry).bytes(2, gradient);
        writer.bytes(fieldGradient, entry);
    }
    Graph::Parts parts;
    parts.nodes.assign(graph->nodes().begin(), graph->nodes().end());
    parts.versions = graph->versions();
    parts.unknownFields = graph->unknownFields();
    parts.sameWiring = graph;
    if (!used.empty()) {
        const BufferPtr owner = makeBuffer(std::move(encoded));
        parts.functions = readFunctionLibrary(owner->bytes(), owner);
    }
    return Graph::make(std::move(parts));
}

Result<Findings> findExpansions(const GraphPtr& graph, Expander::Kinds kinds, const Job& job)
{
    return GraphExpansion(graph, {}, kinds).find(job);
}

Result<EditResult> expandNodes(const GraphPtr& graph, const PassArgs& args, Expander::Kinds kinds,
                               const Job& job)
{
    return GraphExpansion(graph, args, kinds).run(job);
}

} // namespace lapidary
