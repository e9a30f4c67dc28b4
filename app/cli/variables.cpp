// SPDX-License-Identifier: Apache-2.0
#include "app/cli/variables.h"

#include "app/cli/freezing.h"
#include "graph_model/graph/stored_variables.h"
#include "runner/checkpoint/load_variables.h"
#include "transforms/freeze/freeze_model.h"

namespace lapidary {
namespace {

// Tells whether the model has values for its variables, or has a format that should have them.
bool hasValues(const ModelFile& file, const VariableFlags& flags)
{
    switch (file.format) {
    case FileFormat::MetaGraphBinary:
    case FileFormat::MetaGraphText:
    case FileFormat::SavedModelBinary:
    case FileFormat::SavedModelText: return true;
    default: return !flags.checkpoint.empty() || !checkpointBeside(file.path).empty();
    }
}

bool canFreeze(const ModelFile& file, const VariableFlags& flags)
{
    return !flags.checkpoint.empty() || !checkpointBeside(file.path).empty();
}

} // namespace

void addVariableOptions(VerbCall& call, VariableFlags& flags)
{
    call.options().add_flag("--freeze", flags.freezes, "freeze variables first; presets always do");
    call.options().add_option(
        "--checkpoint", flags.checkpoint,
        "prefix of the checkpoint with their values; default: the checkpoint that belongs to FILE");
    call.options().add_flag("--keep-variables,--keep_variables", flags.keeps,
                            "write variables unchanged, without their values");
}

Result<GraphEntry> frozenIfNeeded(const OpenedModel& opened, const VariableFlags& flags,
                                  const std::vector<std::string>& outputs, bool isPreset,
                                  Console& console)
{
    GraphEntry entry = *opened.entry;
    const std::size_t before = countStoredVariables(*entry.graph);
    const bool isWanted =
        flags.freezes || (isPreset && !flags.keeps && canFreeze(*opened.file, flags));
    if (before == 0 || !isWanted)
        return entry;
    FreezeRequest request;
    request.model = opened.file->path;
    request.checkpoint = flags.checkpoint;
    request.outputs = outputs;
    request.choice.clearDevices = false;
    auto frozen = freezeModel(entry, request, console.job);
    if (!frozen)
        return frozen.error().within("freezing");
    entry.graph = frozen->frozen.edit.graph;
    console.complain(frozenText(*frozen, before));
    return entry;
}

Status checkVariables(const OpenedModel& opened, const VariableFlags& flags, const Graph& graph,
                      Console& console)
{
    const std::size_t left = countStoredVariables(graph);
    if (left == 0 || flags.keeps)
        return Done{};
    const std::string path = shownPath(opened.file->path.string());
    if (!hasValues(*opened.file, flags)) {
        console.complain(
            path + ": " + countedVariables(left) +
            " without values, since no checkpoint belongs to it" +
            freezeHint(path, likelyOutputs(*opened.entry, modelInterface(*opened.entry, ""))));
        return Done{};
    }
    return Error{
        ErrorCode::InvalidArgument,
        path + ": " + countedVariables(left) + " would be written without " +
            (left == 1 ? "its value" : "their values") + "; add " +
            (canFreeze(*opened.file, flags) ? "--freeze" : "--freeze --checkpoint PREFIX") +
            (left == 1 ? " to make it a constant" : " to make them constants") +
            ", or --keep-variables to write them without"};
}

void sayVariables(const VerbCall& call, const Graph& written, Console& console)
{
    const std::size_t left = countStoredVariables(written);
    if (left > 0)
        console.complain(shownPath(call.file()) + ": " + countedVariables(left) +
                         (left == 1 ? " has no value" : " have no values") + " in what is written" +
                         freezeHint(call.file(), "OUTPUTS"));
}

} // namespace lapidary
