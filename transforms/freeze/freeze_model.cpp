// SPDX-License-Identifier: Apache-2.0
#include "transforms/freeze/freeze_model.h"

#include "runner/checkpoint/load_variables.h"
#include "runner/checkpoint/variable_reader.h"
#include "runner/execute/session.h"
#include "transforms/constants/const_node.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/fold/evaluate_tensors.h"

#include <algorithm>
#include <map>
#include <optional>

namespace lapidary {
namespace {

constexpr std::string_view servingSignature = "serving_default";

std::string nodeOf(std::string_view tensor)
{
    return std::string(parseInput(tensor).node);
}

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

Result<const Signature*> chosenSignature(const GraphEntry& entry, const std::string& wanted)
{
    std::vector<std::string> names;
    for (const Signature& signature : entry.signatures)
        if (!signature.name.starts_with("__"))
            names.push_back(signature.name);
    const std::string name = !wanted.empty()     ? wanted
                             : names.size() == 1 ? names.front()
                                                 : std::string(servingSignature);
    const auto found = std::ranges::find(entry.signatures, name, &Signature::name);
    if (found != entry.signatures.end())
        return &*found;
    if (names.empty())
        return Error{ErrorCode::InvalidArgument,
                     wanted.empty() ? "the model has no signature; name its outputs"
                                    : "the model has no signature, so not " + wanted +
                                          " either; name its outputs"};
    return Error{ErrorCode::InvalidArgument,
                 "the model has no signature " + name + "; it has " + listed(names)};
}

// The nodes of tensors "a:0, b" in the order given, each once.
Result<std::vector<NodeId>> nodesOf(const Graph& graph, const std::vector<std::string>& tensors)
{
    std::vector<NodeId> nodes;
    for (const std::string& tensor : tensors) {
        const NodeId id = graph.find(nodeOf(tensor));
        if (!id.isValid())
            return Error{ErrorCode::NotFound, "output " + tensor + " is not in the graph"};
        if (std::ranges::find(nodes, id) == nodes.end())
            nodes.push_back(id);
    }
    return nodes;
}

// The attribute `value` of a Const that was made for its sake.
AttrBytes valueOf(const NodeDraft& constant)
{
    const auto name = [](const auto& attr) { return std::string_view(attr.first); };
    return std::ranges::find(constant.attrs, "value", name)->second;
}

AttrBytes constantOf(const CheckpointValue& value)
{
    if (value.dtype == DType::String)
        return valueOf(valueNode("value", Value::ofStrings(value.dims, value.strings)));
    return valueOf(constNode("value", value.dtype, {value.dims, false}, value.bytes));
}

bool assignsVariable(const Node& node)
{
    return node.op() == "Assign" || node.op() == "AssignVariableOp";
}

// Finds values: in the checkpoint, else by computing what an initializer assigns.
class Values {
public:
    Values(const GraphEntry& entry, const FreezeRequest& request, const Job& job)
        : m_entry(entry)
        , m_request(request)
        , m_job(job)
    {
    }

    Status open()
    {
        std::filesystem::path checkpoint = m_request.checkpoint;
        if (checkpoint.empty())
            checkpoint = checkpointBeside(m_request.model);
        if (!checkpoint.empty()) {
            ASSIGN_OR_RETURN(auto reader, VariableReader::open(m_entry.graph, checkpoint, m_job));
            m_reader.emplace(std::move(reader));
        }
        return findAssignments();
    }

    Result<AttrBytes> operator()(NodeId variable) const
    {
        const auto assigned = m_assigned.find(variable);
        if (assigned != m_assigned.end())
            return computed(assigned->second);
        return fromCheckpoint(variable);
    }

private:
    // The assignments that the initializers run, by the variable that each sets.
    Status findAssignments()
    {
        const Graph& graph = *m_entry.graph;
        std::vector<NodeId> open;
        for (const std::string& name : m_request.initializers) {
            const NodeId id = graph.find(nodeOf(name));
            if (!id.isValid())
                return Error{ErrorCode::NotFound, "initializer " + name + " is not in the graph"};
            open.push_back(id);
        }
        const std::vector<bool> isRun = keptNodes(graph, {}, open);
        for (std::uint32_t i = 0; i < graph.size(); ++i) {
            const auto inputs = graph.inputs(NodeId{i});
            if (isRun[i] && assignsVariable(graph.node(NodeId{i})) && inputs.size() >= 2 &&
                inputs[0].node.isValid() && inputs[1].node.isValid() &&
                isFreezable(graph.node(inputs[0].node)))
                m_assigned[inputs[0].node] = inputs[1];
        }
        return Done{};
    }

    // Runs the part of the graph that computes the tensor, its variables read from the checkpoint.
    Result<AttrBytes> computed(Endpoint tensor) const
    {
        const std::vector<NodeId> outputs{tensor.node};
        const VariableValue stored = [this](NodeId id) { return fromCheckpoint(id); };
        ASSIGN_OR_RETURN(const auto part,
                         freezeVariables(m_entry.graph, outputs, {}, stored, m_job));
        Session session(part.edit.graph, {});
        RunRequest request;
        request.fetches.push_back(std::string(m_entry.graph->node(tensor.node).name()) + ":" +
                                  std::to_string(tensor.port));
        ASSIGN_OR_RETURN(const auto values, session.run(request, m_job));
        return valueOf(valueNode("value", values.front()));
    }

    Result<AttrBytes> fromCheckpoint(NodeId id) const
    {
        if (!m_reader)
            return Error{ErrorCode::NotFound,
                         std::string(m_entry.graph->node(id).name()) +
                             ": this variable has no value, because no checkpoint belongs to the "
                             "model; name one"};
        ASSIGN_OR_RETURN(const auto value, m_reader->read(id));
        return constantOf(value);
    }

    const GraphEntry& m_entry;
    const FreezeRequest& m_request;
    const Job& m_job;
    std::optional<VariableReader> m_reader;
    std::map<NodeId, Endpoint> m_assigned;
};

} // namespace

Result<FrozenModel> freezeModel(const GraphEntry& entry, const FreezeRequest& request,
                                const Job& job)
{
    FrozenModel model;
    std::vector<std::string> tensors = request.outputs;
    if (tensors.empty() || !request.signature.empty()) {
        ASSIGN_OR_RETURN(const Signature* signature, chosenSignature(entry, request.signature));
        for (const SignatureTensor& input : signature->inputs)
            model.inputs.push_back(input.tensor);
        for (const SignatureTensor& output : signature->outputs)
            if (request.outputs.empty())
                tensors.push_back(output.tensor);
    }
    ASSIGN_OR_RETURN(const auto outputs, nodesOf(*entry.graph, tensors));
    for (const NodeId id : outputs)
        model.outputs.emplace_back(entry.graph->node(id).name());
    Values values(entry, request, job);
    RETURN_IF_ERROR(values.open());
    ASSIGN_OR_RETURN(model.frozen,
                     freezeVariables(entry.graph, outputs, request.choice, std::cref(values), job));
    return model;
}

} // namespace lapidary
