// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/loops/outline_loop.h"

#include "graph_model/graph/attr_lists.h"
#include "graph_model/ops/op_traits.h"
#include "runner/shapes/infer_shapes.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/loops/loop_frame.h"
#include "transforms/export/loops/trip_count.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>

namespace lapidary {
namespace {

class Outlining {
public:
    Outlining(const Graph& graph, const LoopFrame& frame, const InferredShapes& shapes)
        : m_graph(graph)
        , m_frame(frame)
        , m_shapes(shapes)
    {
        for (const LoopFrame::Variable& variable : frame.variables)
            if (staysAsItIs(variable))
                m_fixed.emplace(variable.merge.value, variable.start);
            else
                addVariable(variable);
    }

    // Returns null if a tensor of the loop is read in another way than through an Exit of a
    // variable.
    GraphPtr outline(OutlinedLoops& loops)
    {
        for (const LoopFrame::Variable& variable : m_variables)
            addInput(nameOf(variable.merge), variable.start);
        for (const NodeId id : m_frame.nodes)
            if (!isLoopNode(m_graph, m_frame, id))
                copyInside(id);
        m_loop.goesOn = reference(m_graph.inputs(m_frame.condition)[0]);
        for (const LoopFrame::Variable& variable : m_variables)
            m_loop.next.push_back(reference(variable.next));
        Graph::Parts outside;
        outside.versions = m_graph.versions();
        outside.functions = m_graph.sharedFunctions();
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (!m_frame.isInside[i] && !isOwnExit(NodeId{i}))
                outside.nodes.push_back(m_graph.nodes()[i]);
        outside.nodes.push_back(loopNode());
        for (const NodeId exit : m_frame.exits)
            if (!addExit(exit, outside))
                return nullptr;
        m_inside.versions = m_graph.versions();
        m_inside.functions = m_graph.sharedFunctions();
        m_loop.graph = Graph::make(std::move(m_inside));
        loops[loopName()] = std::make_shared<const OutlinedLoop>(std::move(m_loop));
        return Graph::make(std::move(outside));
    }

private:
    using Key = std::pair<std::uint32_t, std::int32_t>;

    void addVariable(const LoopFrame::Variable& variable)
    {
        m_variableAt.emplace(variable.merge.value, m_variables.size());
        m_variables.push_back(variable);
    }

    std::string nameOf(NodeId id) const { return std::string(m_graph.node(id).name()); }
    std::string loopName() const { return nameOf(m_frame.condition); }

    bool isOwnExit(NodeId id) const { return m_frame.isOwnExit[id.value]; }

    std::optional<std::size_t> variableOf(NodeId merge) const
    {
        const auto found = m_variableAt.find(merge.value);
        return found == m_variableAt.end() ? std::nullopt : std::optional(found->second);
    }

    // Returns whether a variable never changes: loops of functions carry tensors that they only
    // read, such as weights, as variables.
    bool staysAsItIs(const LoopFrame::Variable& variable) const
    {
        Endpoint from = variable.next;
        while (
            from.node != variable.merge && m_frame.isInside[from.node.value] &&
            !isMerge(m_graph.node(from.node).op()) &&
            (isLoopNode(m_graph, m_frame, from.node) || copiesInput(m_graph.node(from.node).op())))
            from = m_graph.inputs(from.node)[0];
        return from.node == variable.merge;
    }

    TensorLabel labelOf(const Endpoint& tensor) const
    {
        const TensorLabel* label = m_shapes.find(tensor);
        return label != nullptr ? *label : TensorLabel{};
    }

    void addInput(const std::string& name, const Endpoint& from)
    {
        const TensorLabel label = labelOf(from);
        NodeDraft draft = newNode(name, "Placeholder");
        draft.setAttr("dtype", attr::fromType(label.dtype));
        draft.setAttr("shape", attr::fromShape(label.shape));
        m_inside.nodes.push_back(draft.finish());
        m_loop.inputs.push_back(name);
        m_inputNames.insert(name);
        m_starts.push_back(from);
    }

    // Copies a constant into the body; any other tensor from outside becomes an input.
    std::string fromOutside(const Endpoint& tensor)
    {
        const Node& node = m_graph.node(tensor.node);
        if (isConstant(node.op())) {
            if (m_copied.insert(tensor.node.value).second) {
                NodeDraft draft = NodeDraft::of(node);
                draft.inputs.clear(); // they are control inputs only
                m_inside.nodes.push_back(draft.finish());
            }
            return nameOf(tensor.node);
        }
        std::string& name = m_captured[{tensor.node.value, tensor.port}];
        if (name.empty()) {
            name = outputText(loopName() + "/outside/" + nameOf(tensor.node), 0);
            for (const std::string base = name; m_graph.find(name).isValid() || isInput(name);)
                name = base + "_" + std::to_string(tensor.port + 1);
            addInput(name, tensor);
        }
        return name;
    }

    bool isInput(const std::string& name) const { return m_inputNames.contains(name); }

    // Returns a tensor as the body reads it.
    std::string reference(Endpoint tensor)
    {
        while (m_frame.isInside[tensor.node.value]) {
            if (const auto fixed = m_fixed.find(tensor.node.value); fixed != m_fixed.end())
                return fromOutside(fixed->second);
            if (variableOf(tensor.node))
                return nameOf(tensor.node);
            if (!isLoopNode(m_graph, m_frame, tensor.node))
                return outputText(m_graph, tensor);
            tensor = m_graph.inputs(tensor.node)[0];
        }
        return fromOutside(tensor);
    }

    void copyInside(NodeId id)
    {
        NodeDraft draft = NodeDraft::of(m_graph.node(id));
        draft.removeAttr("_class");
        draft.inputs.clear();
        for (const Endpoint& from : m_graph.inputs(id))
            if (!from.isControl() && from.node.isValid())
                draft.inputs.push_back(reference(from));
        m_inside.nodes.push_back(draft.finish());
    }

    NodePtr loopNode() const
    {
        NodeDraft draft = newNode(loopName(), "While");
        std::vector<DType> types;
        std::vector<Shape> shapes;
        for (const Endpoint& start : m_starts) {
            draft.inputs.push_back(outputText(m_graph, start));
            types.push_back(labelOf(start).dtype);
            shapes.push_back(labelOf(start).shape);
        }
        draft.setAttr("T", attr::fromTypes(types));
        draft.setAttr("cond", attr::fromFunctionName(loopName()));
        draft.setAttr("body", attr::fromFunctionName(loopName()));
        draft.setAttr("_loop", attr::fromString(loopName()));
        draft.setAttr("_output_shapes", attr::fromShapes(shapes));
        return draft.finish();
    }

    bool addExit(NodeId exit, Graph::Parts& outside) const
    {
        Endpoint from = m_graph.inputs(exit)[0];
        while (m_frame.isInside[from.node.value] && !variableOf(from.node)) {
            const auto fixed = m_fixed.find(from.node.value);
            if (fixed == m_fixed.end() && !isLoopNode(m_graph, m_frame, from.node))
                return false;
            from = fixed != m_fixed.end() ? fixed->second : m_graph.inputs(from.node)[0];
        }
        const auto variable = variableOf(from.node);
        NodeDraft draft = newNode(nameOf(exit), "Identity",
                                  {variable ? outputText(loopName(), std::int32_t(*variable))
                                            : outputText(m_graph, from)});
        draft.setAttr("T", attr::fromType(labelOf(from).dtype));
        outside.nodes.push_back(draft.finish());
        return true;
    }

    const Graph& m_graph;
    const LoopFrame& m_frame;
    const InferredShapes& m_shapes;
    std::vector<LoopFrame::Variable> m_variables;
    std::unordered_map<std::uint32_t, std::size_t> m_variableAt; // by its Merge
    std::unordered_set<std::string> m_inputNames;
    std::map<std::uint32_t, Endpoint> m_fixed; // constant variables, by Merge
    OutlinedLoop m_loop;
    Graph::Parts m_inside;
    std::vector<Endpoint> m_starts; // by input
    std::map<Key, std::string> m_captured;
    std::set<std::uint32_t> m_copied; // constants that were copied
};

} // namespace

Result<GraphPtr> outlineLoops(const GraphPtr& graph, OutlinedLoops& loops, const Job& job)
{
    GraphPtr current = graph;
    while (true) {
        const FoundLoop found = findInnermostLoop(*current);
        if (!found.frame)
            return current;
        ASSIGN_OR_RETURN(const InferredShapes shapes, inferShapes(*current, {}, job));
        GraphPtr outlined = Outlining(*current, *found.frame, shapes).outline(loops);
        if (outlined == nullptr)
            return current;
        current = std::move(outlined);
    }
}

std::shared_ptr<const OutlinedLoop> outlinedLoop(const Node& node, const OutlinedLoops& loops)
{
    const auto found = loops.find(std::string(node.attr("_loop").asString().value_or("")));
    return found == loops.end() ? nullptr : found->second;
}

} // namespace lapidary
