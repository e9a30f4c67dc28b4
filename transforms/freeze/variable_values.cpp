// SPDX-License-Identifier: Apache-2.0
#include "transforms/freeze/variable_values.h"

#include "graph_model/base/mapped_part.h"
#include "graph_model/base/spilled_bytes.h"
#include "graph_model/ops/op_traits.h"
#include "runner/checkpoint/load_variables.h"
#include "runner/execute/session.h"
#include "transforms/constants/const_node.h"
#include "transforms/constants/tensor_head.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/fold/evaluate_tensors.h"
#include "transforms/freeze/freeze_variables.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::uint64_t mappedSize = 1 << 20; // bytes: smaller values are copied

// Returns the attribute `value` of a Const.
AttrBytes valueOf(const NodeDraft& constant)
{
    const auto name = [](const auto& attr) { return std::string_view(attr.first); };
    return std::ranges::find(constant.attrs, "value", name)->second;
}

AttrBytes constantOf(const CheckpointValue& value)
{
    if (value.dtype == DType::String)
        return valueOf(valueNode("value", Value::ofStrings(value.dims, value.strings)));
    if (value.bytes.size() >= mappedSize) {
        const std::string head = headOfTensor(value.dtype, {value.dims, false}, value.bytes.size());
        if (const auto spilled = spillBytes(head, value.bytes))
            return {(*spilled)->bytes(), *spilled};
    }
    return valueOf(constNode("value", value.dtype, {value.dims, false}, value.bytes));
}

// "train/x:0, y" -> the node's name
std::string_view nodeNameOf(std::string_view tensor)
{
    return parseInput(tensor).node;
}

std::string sliceText(const Slice& slice)
{
    std::string text;
    for (const SliceExtent& extent : slice) {
        text += text.empty() ? "" : ":";
        text += extent.length < 0
                    ? "-"
                    : std::to_string(extent.start) + "," + std::to_string(extent.length);
    }
    return text;
}

} // namespace

Status VariableValues::open()
{
    std::filesystem::path checkpoint = m_request.checkpoint;
    if (checkpoint.empty())
        checkpoint = checkpointBeside(m_request.model);
    if (!checkpoint.empty()) {
        ASSIGN_OR_RETURN(auto reader,
                         VariableReader::open(m_entry.graph, checkpoint, m_job, m_entry.bound));
        m_reader.emplace(std::move(reader));
    }
    return findAssignments();
}

Result<AttrBytes> VariableValues::read(NodeId variable)
{
    const auto assigned = m_assigned.find(variable);
    return assigned != m_assigned.end()
               ? computed(assigned->second)
               : fromCheckpoint(variable,
                                m_request.checksLater ? PlaceChecks::Later : PlaceChecks::Now);
}

VariableSource VariableValues::sourceOf(NodeId variable) const
{
    const Node& node = m_entry.graph->node(variable);
    VariableSource source;
    source.variable = variable;
    source.dtype = node.attr("dtype").asType().value_or(DType::Invalid);
    source.shape = node.attr("shape").asShape().value_or(Shape{{}, true});
    if (const auto assigned = m_assigned.find(variable); assigned != m_assigned.end()) {
        source.kind = VariableSource::Kind::Initializer;
        source.key = m_entry.graph->node(assigned->second.node).name();
        return source;
    }
    const auto stored = m_reader ? m_reader->find(variable) : VariableReader::Stored();
    if (stored.key.empty()) {
        source.fault = m_reader ? "the checkpoint has no variable of its name" : whyUnread();
        return source;
    }
    source.kind =
        stored.slice.empty() ? VariableSource::Kind::Checkpoint : VariableSource::Kind::SlicedPart;
    source.key = stored.key;
    source.part = sliceText(stored.slice);
    if (const CheckpointVariable* entry = m_reader->checkpoint().find(stored.key)) {
        source.dtype = entry->dtype;
        source.shape = entry->shape;
    }
    if (const Status fits = m_reader->fits(variable); !fits)
        source.fault = fits.error().message;
    return source;
}

// Finds the assignments that the initializers run, by the variable that each sets.
Status VariableValues::findAssignments()
{
    const Graph& graph = *m_entry.graph;
    std::vector<NodeId> open;
    for (const std::string& name : m_request.initializers) {
        const NodeId id = graph.find(nodeNameOf(name));
        if (!id.isValid())
            return Error{ErrorCode::NotFound, "initializer " + name + " is not in the graph"};
        open.push_back(id);
    }
    const std::vector<bool> isRun = keptNodes(graph, {}, open);
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const auto inputs = graph.inputs(NodeId{i});
        if (isRun[i] && assignsVariable(graph.node(NodeId{i}).op()) && inputs.size() >= 2 &&
            inputs[0].node.isValid() && inputs[1].node.isValid() &&
            isStoredVariable(graph.node(inputs[0].node).op()))
            m_assigned[inputs[0].node] = inputs[1];
    }
    return Done{};
}

// Runs the part of the graph that computes the tensor, its variables read from the checkpoint.
Result<AttrBytes> VariableValues::computed(Endpoint tensor)
{
    const std::vector<NodeId> outputs{tensor.node};
    const VariableValue stored = [this](NodeId id) { return fromCheckpoint(id, PlaceChecks::Now); };
    ASSIGN_OR_RETURN(const auto part, freezeVariables(m_entry.graph, outputs, {}, stored, m_job));
    Session session(part.edit.graph, {});
    RunRequest request;
    request.fetches.push_back(tensorName(*m_entry.graph, tensor));
    ASSIGN_OR_RETURN(const auto values, session.run(request, m_job));
    return valueOf(valueNode("value", values.front()));
}

std::string VariableValues::whyUnread() const
{
    const std::string missing = variablesAreMissing(m_entry, m_request.model);
    return missing.empty() ? "no checkpoint belongs to the model" : missing;
}

Result<AttrBytes> VariableValues::fromCheckpoint(NodeId variable, PlaceChecks checks)
{
    if (!m_reader)
        return Error{ErrorCode::NotFound, std::string(m_entry.graph->node(variable).name()) +
                                              ": this variable has no value, because " +
                                              whyUnread() + "; name one"};
    // If it cannot be mapped, its checksum is compared as it is read.
    if (const auto place = m_reader->place(variable, mappedSize, checks)) {
        const FilePart part{
            .offset = place->offset,
            .length = place->size,
            .head = headOfTensor(place->dtype, {place->dims, false}, std::size_t(place->size))};
        if (const auto mapped = mapFileParts(place->file, {&part, 1})) {
            const std::string_view value = mapped->parts.front();
            if (checks == PlaceChecks::Later)
                m_unchecked.push_back(
                    {value.substr(part.head.size()), mapped->buffer, place->checksum});
            return AttrBytes(value, mapped->buffer);
        }
    }
    ASSIGN_OR_RETURN(const auto value, m_reader->read(variable));
    return constantOf(value);
}

} // namespace lapidary
