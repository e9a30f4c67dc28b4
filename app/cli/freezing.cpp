// SPDX-License-Identifier: Apache-2.0
#include "app/cli/freezing.h"

#include "app/cli/damage.h"
#include "app/cli/verb_call.h"
#include "graph_model/base/text.h"
#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/graph/table_handle.h"
#include "graph_model/interface/op_effects.h"
#include "graph_model/ops/op_traits.h"
#include "runner/guard/machine_memory.h"
#include "transforms/freeze/filled_tables.h"
#include "transforms/recipe/repro_script.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace lapidary {
namespace {

using Names = std::set<std::string, std::less<>>;

std::string listedTags(const ModelFile& file)
{
    std::string text;
    for (const GraphEntry& entry : file.graphs)
        text += (text.empty() ? "'" : ", '") + entry.title + "'";
    return text;
}

// Returns the first node that gives each table, or the like, its content.
std::map<NodeId, NodeId> fillersOf(const Graph& graph)
{
    std::map<NodeId, NodeId> fillers;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const auto inputs = graph.inputs(NodeId{i});
        if (opEffect(graph.node(NodeId{i}).op()) != OpEffect::Assign || inputs.empty() ||
            !inputs[0].node.isValid())
            continue;
        const NodeId table = tableOf(graph, inputs[0]);
        fillers.emplace(table.isValid() ? table : inputs[0].node, NodeId{i});
    }
    return fillers;
}

Result<const GraphEntry*> chosenGraph(const ModelFile& file, const FreezeFlags& flags)
{
    if (file.graphs.size() == 1 && (flags.tags.empty() || flags.savedModel.empty()))
        return &file.graphs.front();
    const auto tagsOf = [](const GraphEntry& entry) {
        return Names(entry.tags.begin(), entry.tags.end());
    };
    const Names wanted =
        flags.tags.empty() ? Names{"serve"} : Names(flags.tags.begin(), flags.tags.end());
    std::vector<const GraphEntry*> served;
    for (const GraphEntry& entry : file.graphs) {
        if (tagsOf(entry) == wanted)
            return &entry;
        if (tagsOf(entry).contains("serve"))
            served.push_back(&entry);
    }
    if (flags.tags.empty() && served.size() == 1)
        return served.front();
    return Error{ErrorCode::NotFound, file.path.string() + ": has no graph with the tags " +
                                          listed(wanted) + "; its graphs are " + listedTags(file)};
}

std::string takenText(const ModelFile& file, const GraphEntry& entry, const FreezeFlags& flags)
{
    if (file.graphs.size() == 1 || !flags.tags.empty() || entry.tags.size() == 1)
        return {};
    return flags.model() + ": none of its " + std::to_string(file.graphs.size()) +
           " graphs is tagged only \"serve\"; using the one tagged " + entry.title +
           "; --tags selects another";
}

} // namespace

const std::string& FreezeFlags::model() const
{
    return !savedModel.empty() ? savedModel : !metaGraph.empty() ? metaGraph : graph;
}

BoxGrants grantsOf(const FreezeFlags& flags)
{
    BoxGrants grants{.memory = usualMemoryLimit()};
    grantModel(flags.model(), grants);
    if (!flags.checkpoint.empty())
        grantModel(flags.checkpoint, grants);
    return grants;
}

bool hasCheckpoint(const std::string& prefix)
{
    return !prefix.empty() &&
           (!matchingFiles(prefix + ".index").empty() || !matchingFiles(prefix).empty());
}

Result<FreezeOutcome> freezeAsAsked(const FreezeFlags& flags, const Job& job, bool checksLater)
{
    if (!flags.checkpoint.empty() && !hasCheckpoint(flags.checkpoint))
        return Error{
            ErrorCode::NotFound,
            "the checkpoint " + flags.checkpoint +
                " does not exist; pass the prefix of a checkpoint, such as train/model.ckpt-1000"};
    FreezeOutcome outcome;
    ASSIGN_OR_RETURN(const ModelFile file, readModel(flags.model(), job, {.check = false}));
    if (file.isRefused())
        return Error{ErrorCode::BadFile, refusalOf(file, flags.model())};
    ASSIGN_OR_RETURN(const GraphEntry* entry, chosenGraph(file, flags));
    if (const Status known = requireTensorFlow(*entry->graph, "is not frozen"); !known)
        return known.error().within(flags.model());
    if (const Problem* damage = firstDamage(file); damage != nullptr)
        outcome.damage = damageText(*damage, flags.model());
    outcome.taken = takenText(file, *entry, flags);
    outcome.before = entry->graph;
    outcome.format = file.format;
    FreezeRequest request;
    request.model = file.path;
    request.checkpoint = flags.checkpoint;
    request.outputs = flags.outputs;
    request.signature = flags.signature;
    request.initializers = flags.initializers;
    request.choice.only = Names(flags.only.begin(), flags.only.end());
    request.choice.except = Names(flags.except.begin(), flags.except.end());
    request.checksLater = checksLater;
    request.choice.clearDevices = flags.clearDevices;
    request.fillsTables = flags.fillsTables;
    auto frozen = freezeModel(*entry, request, job);
    if (!frozen) {
        Error error = frozen.error().within(flags.model());
        if (error.reason == ErrorReason::NoOutputs)
            error.subject = likelyOutputs(*entry, modelInterface(*entry, ""));
        return error;
    }
    outcome.model = *std::move(frozen);
    return outcome;
}

std::string lostFillers(const FreezeOutcome& outcome)
{
    const Graph& before = *outcome.before;
    const Graph& after = *outcome.model.frozen.edit.graph;
    const auto fillersBefore = fillersOf(before);
    const auto fillersAfter = fillersOf(after);
    Names tables;
    Names fillers;
    for (std::uint32_t i = 0; i < after.size(); ++i) {
        const Node& table = after.node(NodeId{i});
        const NodeId old = before.find(table.name());
        const bool wasVariable = old.isValid() && isStoredVariable(before.node(old).op());
        if (wasVariable || isStoredVariable(table.op()) || fillersAfter.contains(NodeId{i}))
            continue;
        const auto filler = fillersBefore.find(old);
        if (filler != fillersBefore.end())
            fillers.emplace(before.node(filler->second).name());
        if (filler != fillersBefore.end() || (isTable(table.op()) && !isMutableTable(table.op())))
            tables.emplace(table.name());
    }
    if (tables.empty())
        return {};
    if (fillers.empty())
        return listed(tables) + ": nothing in the frozen graph initializes " +
               (tables.size() == 1 ? "it" : "them") +
               "; what the model's init operation does could not be put into the graph";
    return listed(tables) + ": filled by " + listed(fillers) +
           ", which the outputs do not need; name it among --outputs too, and run it first";
}

std::string likelyOutputs(const GraphEntry& entry, const Result<ModelInterface>& interface)
{
    std::string outputs;
    if (interface && entry.signatures.empty())
        for (const std::string& output : interface->outputs)
            outputs += (outputs.empty() ? "" : ",") + output;
    return outputs;
}

std::string freezeHint(const std::string& path, const std::string& outputs)
{
    return "; to fill in the values of a checkpoint: lapidary freeze " + shellQuoted(path) +
           " --checkpoint PREFIX" + (outputs.empty() ? "" : " --outputs " + shellQuoted(outputs)) +
           " -o FROZEN";
}

} // namespace lapidary
