// SPDX-License-Identifier: Apache-2.0
#include "transforms/freeze/freeze_variables.h"

#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/attr_value.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/edits/kept_nodes.h"

#include <algorithm>
#include <map>

namespace lapidary {
namespace {

constexpr std::string_view colocationPrefix = "loc:@";

bool asksWhetherSet(std::string_view op)
{
    return op == "IsVariableInitialized" || op == "VarIsInitializedOp";
}

// Returns whether a node moves an 8-bit range in each run, as in a graph that is trained for 8
// bits.
bool movesRange(const Graph& graph, NodeId id)
{
    return std::ranges::any_of(graph.consumers(id), [&](const Consumer& reader) {
        return !reader.isControl() && reader.slot > 0 &&
               graph.node(reader.node).op().starts_with("FakeQuantWithMinMaxVars");
    });
}

Error cannotRead(const Graph& graph, NodeId id, const Node& variable)
{
    const Node& reader = graph.node(id);
    const std::string name(variable.name());
    if (movesRange(graph, id))
        return {ErrorCode::Unsupported,
                std::string(reader.name()) + ": the graph trains for 8 bits, and each run moves " +
                    name +
                    "; freeze the graph that evaluates instead, which takes the same "
                    "checkpoint: build the model with is_training=False, then call "
                    "tf.contrib.quantize.create_eval_graph()"};
    const std::string what = changesVariable(reader.op())
                                 ? "changes or asks for the state of the variable " + name
                                 : "takes the variable " + name + " itself, not its value";
    return {ErrorCode::Unsupported,
            std::string(reader.name()) + ": " + std::string(reader.op()) + " " + what +
                ", which cannot be frozen with it; leave " + name +
                " a variable, inline the function, or choose outputs that do not need the node"};
}

bool takesReference(const Node& node, std::uint32_t slot)
{
    const OpSpec* op = findOp(node.op());
    return op != nullptr && isReference(inputDtype(node, *op, slot));
}

// Returns the op that does with values what this one does with references: RefSwitch -> Switch;
// empty if there is none.
std::string_view valueOp(std::string_view op)
{
    const bool passesOn = controlFlow(op) != ControlFlow::None || passesInputOn(op);
    return passesOn && op.starts_with("Ref") ? op.substr(3) : std::string_view();
}

class Freezing {
public:
    Freezing(const GraphPtr& graph, std::span<const NodeId> outputs, const FreezeChoice& choice,
             const VariableValue& value, const Job& job)
        : m_graph(*graph)
        , m_choice(choice)
        , m_value(value)
        , m_job(job)
        , m_edit(graph)
        , m_isKept(neededNodes(outputs))
        , m_variableOf(graph->size())
    {
    }

    Result<FrozenGraph> run() &&
    {
        RETURN_IF_ERROR(chooseVariables());
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            if (m_job.cancelled())
                return cancelledError();
            RETURN_IF_ERROR(rewrite(NodeId{i}));
        }
        ASSIGN_OR_RETURN(m_result.edit, std::move(m_edit).finish());
        return std::move(m_result);
    }

private:
    std::vector<bool> neededNodes(std::span<const NodeId> outputs) const
    {
        return reachedNodes(m_graph.size(), {outputs.begin(), outputs.end()},
                            [&](NodeId id, std::vector<NodeId>& open) {
                                for (const Endpoint& from : m_graph.inputs(id))
                                    if (from.node.isValid())
                                        open.push_back(from.node);
                                const AttrValue classes = m_graph.node(id).attr("_class");
                                for (std::string_view name : classes.strings()) {
                                    if (!name.starts_with(colocationPrefix))
                                        continue;
                                    const NodeId other =
                                        m_graph.find(name.substr(colocationPrefix.size()));
                                    if (other.isValid())
                                        open.push_back(other);
                                }
                            });
    }

    bool isChosen(const Node& variable) const
    {
        return (m_choice.only.empty() || m_choice.only.contains(variable.name())) &&
               !m_choice.except.contains(variable.name());
    }

    Status chooseVariables()
    {
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const Node& node = m_graph.node(NodeId{i});
            if (!m_isKept[i] || !isStoredVariable(node.op()))
                continue;
            if (!isChosen(node)) {
                m_result.kept.push_back(NodeId{i});
                continue;
            }
            m_result.variables.push_back(NodeId{i});
            m_variableOf[i] = NodeId{i};
            RETURN_IF_ERROR(follow(NodeId{i}));
        }
        return checkMixed();
    }

    // How a node uses a variable that is its input. A frozen variable is
    // initialized.
    enum class Use { None, Reads, PassesOn, Refused };

    // Reference variables are read as tensors. A node that writes through the reference is refused,
    // and control flow of references becomes control flow of values.
    static Use useOfReference(const Node& node, std::uint32_t slot)
    {
        if (!takesReference(node, slot))
            return Use::None;
        if (asksWhetherSet(node.op()))
            return Use::Reads;
        return valueOp(node.op()).empty() ? Use::Refused : Use::PassesOn;
    }

    static Use useOfResource(const Node& node, std::uint32_t slot)
    {
        if (isSwitch(node.op()) && slot != 0)
            return Use::None;
        if (passesResourceOn(node.op()))
            return Use::PassesOn;
        return readsValue(node) || asksWhetherSet(node.op()) ? Use::Reads : Use::Refused;
    }

    // Finds every node that sees the reference or the resource of `variable`.
    Status follow(NodeId variable)
    {
        const auto useOf =
            isReferenceVariable(m_graph.node(variable).op()) ? useOfReference : useOfResource;
        std::vector<NodeId> open{variable};
        while (!open.empty()) {
            const NodeId from = open.back();
            open.pop_back();
            for (const Consumer& reader : m_graph.consumers(from)) {
                const Node& node = m_graph.node(reader.node);
                if (reader.isControl() || !m_isKept[reader.node.value])
                    continue;
                const Use use = useOf(node, reader.slot);
                if (use == Use::Refused)
                    return cannotRead(m_graph, reader.node, m_graph.node(variable));
                if (use == Use::None || m_variableOf[reader.node.value])
                    continue;
                m_variableOf[reader.node.value] = variable;
                if (use == Use::PassesOn)
                    open.push_back(reader.node);
            }
        }
        return Done{};
    }

    static bool readsValue(const Node& node)
    {
        return isVariableRead(node.op()) || node.op() == "ResourceGather" ||
               node.op() == "ResourceGatherNd" || node.op() == "VariableShape";
    }

    // Merging a frozen variable with one that is kept would join a value and a resource.
    Status checkMixed() const
    {
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const Node& node = m_graph.node(NodeId{i});
            if (!m_variableOf[i] || !isMerge(node.op()))
                continue;
            for (const Endpoint& from : m_graph.inputs(NodeId{i}))
                if (!from.isControl() && from.node.isValid() && !m_variableOf[from.node.value])
                    return Error{ErrorCode::Unsupported,
                                 std::string(node.name()) +
                                     ": joins a frozen variable with one that stays; freeze both "
                                     "or neither"};
        }
        return Done{};
    }

    Status rewrite(NodeId id)
    {
        const Node& node = m_graph.node(id);
        if (!m_isKept[id.value]) {
            m_edit.remove(id, "the outputs do not need it");
            return Done{};
        }
        if (m_variableOf[id.value] == id)
            return makeConstant(id);
        if (m_variableOf[id.value] && asksWhetherSet(node.op()))
            return saySet(id);
        if (m_variableOf[id.value])
            return readConstant(id);
        if (m_choice.clearDevices && !node.device().empty())
            m_edit.setFields(id, {.op = {}, .device = "", .oldAttr = {}, .newAttr = {}});
        return Done{};
    }

    Status makeConstant(NodeId id)
    {
        const Node& node = m_graph.node(id);
        ASSIGN_OR_RETURN(AttrBytes tensor, m_value(id));
        NodeDraft draft;
        draft.name = node.name();
        draft.op = "Const";
        draft.setAttr("dtype", std::string(node.attr("dtype").encoded()));
        draft.setAttr("value", std::move(tensor));
        for (const Input& input : node.inputs())
            if (input.isControl())
                draft.inputs.emplace_back(input.text);
        m_edit.replace(id, std::move(draft));
        return Done{};
    }

    Status saySet(NodeId id)
    {
        const Node& node = m_graph.node(id);
        NodeDraft draft;
        draft.name = node.name();
        draft.op = "Const";
        draft.setAttr("dtype", attr::fromType(DType::Bool));
        draft.setAttr("value", attr::fromTensorProto(trueScalar()));
        for (const Input& input : node.inputs())
            draft.inputs.push_back("^" + std::string(input.node));
        m_edit.replace(id, std::move(draft));
        return Done{};
    }

    std::string dtypeOf(NodeId variable) const
    {
        return std::string(m_graph.node(variable).attr("dtype").encoded());
    }

    Status readConstant(NodeId id)
    {
        const Node& node = m_graph.node(id);
        NodeDraft draft = NodeDraft::of(node);
        draft.device.clear();
        draft.removeAttr("_output_shapes");
        if (isVariableRead(node.op())) {
            draft.op = "Identity";
            draft.removeAttr("dtype");
            draft.setAttr("T", dtypeOf(*m_variableOf[id.value]));
        } else if (node.op() == "ResourceGather" || node.op() == "ResourceGatherNd") {
            RETURN_IF_ERROR(gather(id, draft));
        } else if (node.op() == "VariableShape") {
            draft.op = "Shape";
            draft.setAttr("T", dtypeOf(*m_variableOf[id.value]));
        } else if (const std::string_view op = valueOp(node.op()); !op.empty()) {
            draft.op = op;
        } else {
            draft.setAttr("T", dtypeOf(*m_variableOf[id.value]));
        }
        m_edit.replace(id, std::move(draft));
        return Done{};
    }

    // resource, indices -> params, indices, axis
    Status gather(NodeId id, NodeDraft& draft)
    {
        const Node& node = m_graph.node(id);
        const std::string indices(node.attr("Tindices").encoded());
        draft.removeAttr("dtype");
        draft.removeAttr("validate_indices");
        draft.setAttr("Tparams", dtypeOf(*m_variableOf[id.value]));
        if (node.op() == "ResourceGatherNd") {
            draft.op = "GatherNd";
            return Done{};
        }
        if (node.attr("batch_dims").asInt().value_or(0) != 0)
            return Error{ErrorCode::Unsupported,
                         std::string(node.name()) +
                             ": gathers with batch_dims, which GatherV2 of TensorFlow 1.15 "
                             "computes only along a later axis; leave its variable unfrozen"};
        std::string axis = std::string(node.name()) + "/axis";
        while (m_graph.find(axis).isValid())
            axis += "_";
        const bool isWide = node.attr("Tindices").asType() == DType::Int64;
        NodeDraft constant;
        constant.name = axis;
        constant.op = "Const";
        constant.setAttr("dtype", indices);
        constant.setAttr("value", attr::fromTensorProto(zeroScalar(isWide)));
        m_edit.addAt(id, std::move(constant), {id});
        draft.op = "GatherV2";
        draft.removeAttr("batch_dims");
        draft.setAttr("Taxis", indices);
        draft.inputs.insert(draft.inputs.begin() + 2, axis);
        return Done{};
    }

    // Encodes a TensorProto: dtype (1), tensor_shape (2) without sizes, and one 0 in int_val (7) or
    // int64_val (10).
    static std::string zeroScalar(bool isWide)
    {
        using namespace std::string_view_literals;
        return std::string(isWide ? "\x08\x09\x12\x00\x50\x00"sv : "\x08\x03\x12\x00\x38\x00"sv);
    }

    // dtype 1, tensor_shape 2 without sizes, bool_val 11 with one true
    static std::string trueScalar()
    {
        using namespace std::string_view_literals;
        return std::string("\x08\x0a\x12\x00\x58\x01"sv);
    }

    const Graph& m_graph;
    const FreezeChoice& m_choice;
    const VariableValue& m_value;
    const Job& m_job;
    GraphEdit m_edit;
    std::vector<bool> m_isKept;
    // For each node that is a frozen variable, passes its resource on or reads it: that variable.
    std::vector<std::optional<NodeId>> m_variableOf;
    FrozenGraph m_result;
};

} // namespace

Result<FrozenGraph> freezeVariables(const GraphPtr& graph, std::span<const NodeId> outputs,
                                    const FreezeChoice& choice, const VariableValue& value,
                                    const Job& job)
{
    return Freezing(graph, outputs, choice, value, job).run();
}

} // namespace lapidary
