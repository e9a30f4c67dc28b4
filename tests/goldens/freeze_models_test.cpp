// SPDX-License-Identifier: Apache-2.0
// Every SavedModel and meta graph that lies with its variables: frozen by each signature, or by its
// likely outputs, written, read again, and run beside the model with its variables.
#include "graph_model/graph/function.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/write/graph_def_source.h"
#include "runner/checkpoint/load_variables.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"
#include "transforms/freeze/freeze_model.h"
#include "transforms/recipe/presets.h"
#include "transforms/recipe/run_recipe.h"
#include "transforms/verify/verify_graphs.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;

constexpr const char* folders[] = {"models/real", "models/wild", "goldens/formats",
                                   "goldens/freeze/inputs"};

bool hasVariables(const fs::path& model)
{
    return !checkpointBeside(model).empty();
}

std::vector<fs::path> modelsWithVariables()
{
    std::vector<fs::path> models;
    for (const char* folder : folders) {
        const fs::path root = dataRoot() / folder;
        if (!fs::exists(root))
            continue;
        for (const auto& entry : fs::recursive_directory_iterator(root)) {
            const fs::path& path = entry.path();
            const bool isSaved = path.filename().string().starts_with("saved_model.pb");
            const fs::path model = isSaved ? path.parent_path() : path;
            if ((isSaved || path.extension() == ".meta") && hasVariables(model))
                models.push_back(model);
        }
    }
    std::ranges::sort(models);
    return models;
}

// What a model is frozen for: a signature, or tensors.
struct Purpose {
    std::string signature;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
};

std::vector<Purpose> purposesOf(const GraphEntry& entry)
{
    std::vector<Purpose> purposes;
    for (const Signature& signature : entry.signatures) {
        if (signature.name.starts_with("__") || signature.outputs.empty())
            continue;
        Purpose purpose{.signature = signature.name, .inputs = {}, .outputs = {}};
        for (const SignatureTensor& input : signature.inputs)
            if (input.tensor.find(", ") == std::string::npos)
                purpose.inputs.push_back(input.tensor);
        for (const SignatureTensor& output : signature.outputs)
            if (output.tensor.find(", ") == std::string::npos)
                purpose.outputs.push_back(output.tensor);
        purposes.push_back(std::move(purpose));
    }
    if (!purposes.empty())
        return purposes;
    const InterfaceChoice choice = likelyChoice(*entry.graph, guessInterface(entry));
    Purpose purpose;
    for (const ChosenTensor& input : choice.inputs)
        purpose.inputs.push_back(input.tensor);
    for (const ChosenTensor& output : choice.outputs)
        purpose.outputs.push_back(output.tensor);
    purposes.push_back(std::move(purpose));
    return purposes;
}

std::size_t callsIn(const Graph& graph)
{
    return std::size_t(std::ranges::count_if(graph.nodes(), [&](const NodePtr& node) {
        return callKind(node->op()) != CallKind::None ||
               (graph.functions() != nullptr && graph.functions()->find(node->op()));
    }));
}

struct Outcome {
    std::string fault; // empty: frozen and the same
    std::string facts;
};

Outcome compared(const GraphEntry& before, const fs::path& model, const Purpose& purpose)
{
    const auto frozen = readModel("frozen.pb", Job());
    if (!frozen || frozen->graphs.empty())
        return {"what was written cannot be read", ""};
    if (frozen->hasErrors())
        return {"what was written has errors: " + frozen->graphs.front().problems.front().message,
                ""};
    RunPlan run;
    run.fetches = purpose.outputs;
    run.signature = purpose.signature;
    run.otherInputs = RandomFeed{};
    const auto verification = verifyGraphs({before, model}, {frozen->graphs.front(), "frozen.pb"},
                                           randomVerifyPlan(purpose.inputs, std::move(run)), Job());
    if (!verification)
        return {"verify: " + verification.error().message, ""};
    if (!verification->missing.empty())
        return {"no kernel for " + verification->missing.front().op, ""};
    for (const VerifiedPair& pair : verification->pairs)
        if (pair.isOutput && pair.agreement.maxAbs != 0)
            return {pair.a + " differs by " + std::to_string(pair.agreement.maxAbs), ""};
    if (!verification->incomparable.empty() &&
        verification->incomparable.front().find("string") == std::string::npos)
        return {verification->incomparable.front(), ""};
    return {"", std::to_string(verification->pairs.size()) + " tensors the same"};
}

// Arm's recipes go through on what was in functions before.
std::string recipeFault(const GraphEntry& entry, const Purpose& purpose)
{
    for (const char* name : {"arm-32bit", "arm-8bit"}) {
        const auto fitted =
            fitPreset(*findPreset(name), entry, purpose.inputs, purpose.outputs, Job());
        if (!fitted)
            return std::string(name) + ": " + fitted.error().message;
        const RecipeRun run =
            runRecipe(entry.graph, fitted->recipe, fitted->inputs, fitted->outputs, Job());
        if (!run.ok())
            return std::string(name) + ": " + run.fault;
    }
    return "";
}

Outcome frozen(const GraphEntry& entry, const fs::path& model, const Purpose& purpose)
{
    FreezeRequest request;
    request.model = model;
    request.signature = purpose.signature;
    if (purpose.signature.empty())
        request.outputs = purpose.outputs;
    const auto frozen = freezeModel(entry, request, Job());
    if (!frozen)
        return {frozen.error().message, ""};
    const Graph& graph = *frozen->frozen.edit.graph;
    const auto sources = variableSources(entry, request, Job());
    if (!sources)
        return {sources.error().message, ""};
    if (frozen->frozen.edit.graph->functions() != nullptr && callsIn(graph) > 0)
        return {"calls are left", ""};
    if (const Status written = writeFileAtomically("frozen.pb", graphDefSource(graph)); !written)
        return {written.error().message, ""};
    Outcome outcome = compared(entry, model, purpose);
    GraphEntry classic;
    classic.graph = frozen->frozen.edit.graph;
    if (outcome.fault.empty() && callsIn(*entry.graph) > 0)
        outcome.fault = recipeFault(classic, purpose);
    outcome.facts = std::to_string(frozen->frozen.variables.size()) + " of " +
                    std::to_string(sources->size()) + " variables, " +
                    std::to_string(callsIn(*entry.graph)) + " calls, " +
                    std::to_string(entry.graph->size()) + " -> " + std::to_string(graph.size()) +
                    " nodes, " + outcome.facts;
    return outcome;
}

} // namespace

TEST_CASE("models with variables compute the same when they are frozen", "[freeze]")
{
    if (!present("models/real"))
        return;
    Tally tally("freeze_models");
    WorkingFolder work;
    for (const fs::path& model : modelsWithVariables()) {
        const auto file = readModel(model, Job());
        REQUIRE(file.ok());
        for (const GraphEntry& entry : file->graphs)
            for (const Purpose& purpose : purposesOf(entry)) {
                work.clear();
                const Outcome outcome = frozen(entry, model, purpose);
                const std::string name = fs::relative(model, dataRoot()).string() +
                                         (entry.title.empty() ? "" : " " + entry.title) + " " +
                                         purpose.signature;
                std::printf("    %-70s %s%s\n", name.c_str(), outcome.facts.c_str(),
                            outcome.fault.empty() ? "" : (": " + outcome.fault).c_str());
                tally.check(outcome.fault.empty(), name, outcome.fault);
            }
    }
    tally.finish();
}

} // namespace lapidary::goldens
