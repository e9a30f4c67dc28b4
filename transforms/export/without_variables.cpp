// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/without_variables.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/graph/stored_variables.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/ops/op_traits.h"
#include "runner/checkpoint/load_variables.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/export/expose_states.h"
#include "transforms/freeze/freeze_model.h"

#include <algorithm>

namespace lapidary {
namespace {

// Removes inputs that only removed nodes read.
void dropUnread(const Graph& before, const Graph& after, ExportInterface& interface,
                std::vector<std::string>& notes)
{
    const auto isGone = [&](const std::string& tensor) {
        const std::string_view node = parseInput(tensor).node;
        return before.find(node).isValid() && !after.find(node).isValid();
    };
    for (const std::string& input : interface.inputs)
        if (isGone(input))
            notes.push_back("the outputs do not need the input " + input);
    std::erase_if(interface.inputs, isGone);
    std::erase_if(interface.shapes, [&](const auto& shape) { return isGone(shape.first); });
}

// Makes the variables that are left in a frozen graph inputs and outputs: they are states.
Status addStates(GraphEntry& entry, ExportInterface& interface, std::vector<std::string>& notes)
{
    ASSIGN_OR_RETURN(ExposedStates made, exposeStates(entry.graph));
    entry.graph = std::move(made.graph);
    std::string list;
    for (const ExposedStates::State& state : made.states) {
        if (!state.input.empty())
            interface.inputs.push_back(state.input);
        const bool isGiven = std::ranges::any_of(interface.outputs, [&](const std::string& output) {
            return tensorAsFlag(output) == state.output;
        });
        if (!isGiven)
            interface.outputs.push_back(state.output);
        list += (list.empty() ? "" : ", ") +
                (state.input.empty() ? "" : state.input + " becomes ") + state.output;
    }
    notes.push_back("values are kept from run to run, which exported files cannot do; each is now "
                    "an input and its new value an output to feed to the next run: " +
                    list);
    return Done{};
}

Result<ExportStart> frozenStart(const GraphEntry& entry, const FreezeRequest& request,
                                ExportInterface& interface, const Job& job)
{
    const std::size_t all = countStoredVariables(*entry.graph);
    const std::size_t before = all - std::min(all, request.choice.except.size());
    auto frozen = freezeModel(entry, request, job);
    if (!frozen)
        return frozen.error().within("freezing");
    ExportStart start{entry, {}, false};
    if (before > 0)
        start.notes.push_back(frozenText(*frozen, before));
    start.entry.graph = frozen->frozen.edit.graph;
    if (!request.choice.except.empty()) {
        RETURN_IF_ERROR(addStates(start.entry, interface, start.notes));
    }
    dropUnread(*entry.graph, *start.entry.graph, interface, start.notes);
    return start;
}

std::size_t countNeededVariables(const Graph& graph, const ExportInterface& interface)
{
    const auto find = [&](const std::vector<std::string>& tensors) {
        std::vector<NodeId> nodes;
        for (const std::string& tensor : tensors)
            if (const NodeId id = graph.find(parseInput(tensor).node); id.isValid())
                nodes.push_back(id);
        return nodes;
    };
    const auto isNeeded = keptNodes(graph, find(interface.inputs), find(interface.outputs));
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        count += isNeeded[i] && isStoredVariable(graph.node(NodeId{i}).op());
    return count;
}

// Says which values are missing, and why.
ExportStart startWithoutValues(const GraphEntry& entry, const ExportedVariables& values,
                               const ExportInterface& interface)
{
    const std::size_t needed = countNeededVariables(*entry.graph, interface);
    if (needed == 0)
        return {entry, {}, false};
    if (const std::string folder = variablesAreMissing(entry, values.model); !folder.empty())
        return {entry, {folder + "; fetch it too"}, false};
    return {
        entry,
        {countedVariables(needed) + " without values, since no checkpoint belongs to the model"},
        true};
}

} // namespace

Result<ExportStart> withoutVariables(const GraphEntry& entry, const ExportedVariables& values,
                                     ExportInterface& interface, const Job& job)
{
    const std::size_t before = countStoredVariables(*entry.graph);
    if (dialectOf(*entry.graph) != Dialect::TensorFlow || before == 0)
        return ExportStart{entry, {}, false};
    if (values.checkpoint.empty() && checkpointBeside(values.model).empty())
        return startWithoutValues(entry, values, interface);
    FreezeRequest request;
    request.model = values.model;
    request.checkpoint = values.checkpoint;
    request.outputs = interface.outputs;
    request.choice.clearDevices = false;
    auto start = frozenStart(entry, request, interface, job);
    if (!start && start.error().code == ErrorCode::Unsupported) {
        request.choice.except = changedVariables(entry.graph, interface.outputs, job);
        if (!request.choice.except.empty())
            start = frozenStart(entry, request, interface, job);
    }
    if (start || job.cancelled() || !values.checkpoint.empty())
        return start;
    return ExportStart{entry, {start.error().message}, false};
}

} // namespace lapidary
