// SPDX-License-Identifier: Apache-2.0
// Freezes every SavedModel and meta graph that has its variables, by each signature or by its
// likely outputs; writes the graph, reads it again, and runs it beside the model with its
// variables.
#include "graph_model/graph/function.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/write/graph_def_source.h"
#include "runner/checkpoint/load_variables.h"
#include "tests/catch.h"
#include "tests/goldens/calls.h"
#include "tests/goldens/golden_data.h"
#include "tests/goldens/made_examples.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/freeze/freeze_model.h"
#include "transforms/recipe/presets.h"
#include "transforms/recipe/run_recipe.h"
#include "transforms/verify/verify_graphs.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

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

// The part of a model to freeze: a signature, or tensors.
struct Purpose {
    std::string signature;
    std::vector<std::string> outputs;
};

std::vector<Purpose> purposesOf(const GraphEntry& entry)
{
    std::vector<Purpose> purposes;
    for (const Signature& signature : entry.signatures) {
        if (signature.name.starts_with("__") || signature.outputs.empty())
            continue;
        Purpose purpose{.signature = signature.name, .outputs = {}};
        for (const SignatureTensor& output : signature.outputs)
            purpose.outputs.push_back(output.tensor.substr(0, output.tensor.find(',')));
        purposes.push_back(std::move(purpose));
    }
    if (!purposes.empty())
        return purposes;
    const InterfaceGuess guess = guessInterface(entry);
    Purpose purpose;
    for (const ChosenTensor& output : likelyChoice(*entry.graph, guess).outputs)
        if (!output.tensor.starts_with("save/"))
            purpose.outputs.push_back(output.tensor);
    for (std::size_t i = 0; i < guess.outputs.size() && purpose.outputs.empty(); ++i)
        if (!guess.outputs[i].tensor.starts_with("save/"))
            purpose.outputs.push_back(guess.outputs[i].tensor);
    purposes.push_back(std::move(purpose));
    return purposes;
}

// Returns the placeholders that the outputs need.
std::vector<const Node*> placeholdersFor(const Graph& graph, const Purpose& purpose)
{
    std::vector<NodeId> outputs;
    for (const std::string& output : purpose.outputs)
        if (const NodeId id = graph.find(parseInput(output).node); id.isValid())
            outputs.push_back(id);
    const std::vector<bool> isNeeded = keptNodes(graph, {}, outputs);
    std::vector<const Node*> placeholders;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (const Node& node = graph.node(NodeId{i});
            isNeeded[i] && isPlaceholder(node.op()) && graph.inputs(NodeId{i}).empty())
            placeholders.push_back(&node);
    return placeholders;
}

constexpr std::int64_t several = 3; // for unknown sizes

// Before version 24, a scalar shape meant an unknown one.
Dims sizesOf(const Node& placeholder, const Graph& graph)
{
    const Shape shape = placeholder.attr("shape").asShape().value_or(Shape{{}, true});
    const bool isOpen = shape.unknownRank || (shape.dims.empty() && graph.versions().producer < 24);
    Dims sizes = isOpen ? Dims{several} : shape.dims;
    for (std::int64_t& size : sizes)
        size = size < 0 ? several : size;
    return sizes;
}

// Feeds examples with the features that the graph parses; texts of numbers if it parses nothing.
Value textsFor(const Dims& sizes, const std::vector<std::string>& examples)
{
    std::size_t count = 1;
    for (const std::int64_t size : sizes)
        count *= std::size_t(size);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i)
        texts.push_back(examples.empty() ? std::to_string(i) : examples[i % examples.size()]);
    return Value::ofStrings(sizes, std::move(texts));
}

// Feeds random numbers to all of them; vectors if the shape is unknown.
Result<RunPlan> planFor(const GraphEntry& entry, const GraphPtr& frozen, const Purpose& purpose)
{
    RunPlan plan;
    plan.fetches = purpose.outputs;
    plan.otherInputs.reset();
    ASSIGN_OR_RETURN(const auto examples, madeExamples(frozen, several));
    for (const Node* node : placeholdersFor(*entry.graph, purpose)) {
        const std::string name(node->name());
        if (node->attr("dtype").asType() == DType::String) {
            plan.feeds.push_back({name, textsFor(sizesOf(*node, *entry.graph), examples)});
            continue;
        }
        plan.feeds.push_back({name, RandomFeed{}});
        if (node->attr("shape").asShape().value_or(Shape{{}, true}).unknownRank)
            plan.shapes.emplace_back(name, Shape{{several}, false});
    }
    return plan;
}

struct Outcome {
    std::string fault; // empty: frozen, with the same results
    std::string facts;
    std::string skipped = {}; // the reason why it could not be frozen or run
};

// Returns why neither graph can be run here, or not on random inputs.
std::string reasonNotToRun(const std::string& message)
{
    constexpr std::pair<const char*, const char*> reasons[] = {
        {"which is missing", "the values of its variables are not here"},
        {"of the indices is not in an axis", "random numbers are not indices of a sparse tensor"},
        {"sparse_values must have the shape", "its inputs are parts of sparse tensors"},
        {"embedding_lookup_sparse: its input 2 is int64", "it needs a newer TensorFlow"},
    };
    for (const auto& [sign, reason] : reasons)
        if (message.find(sign) != std::string::npos)
            return reason;
    return {};
}

Outcome compared(const GraphEntry& before, const fs::path& model, const Purpose& purpose)
{
    const auto frozen = readModel("frozen.pb", Job());
    if (!frozen || frozen->graphs.empty())
        return {"what was written cannot be read", ""};
    if (frozen->hasErrors())
        return {"what was written has errors: " + frozen->graphs.front().problems.front().message,
                ""};
    auto run = planFor(before, frozen->graphs.front().graph, purpose);
    if (!run)
        return {"examples: " + run.error().message, ""};
    const auto verification =
        verifyGraphs({before, model}, {frozen->graphs.front(), "frozen.pb"},
                     {.run = *std::move(run), .options = {}, .pictures = {}}, Job());
    const std::string reason = verification ? "" : reasonNotToRun(verification.error().message);
    if (!reason.empty())
        return {"", "", reason};
    if (!verification)
        return {"verify: " + verification.error().message, ""};
    if (!verification->missing.empty())
        return {"", "", "no kernel for " + verification->missing.front().op};
    for (const VerifiedPair& pair : verification->pairs)
        if (pair.isOutput && pair.agreement.maxAbs != 0)
            return {pair.a + " differs by " + std::to_string(pair.agreement.maxAbs), ""};
    if (!verification->incomparable.empty())
        return {verification->incomparable.front(), ""};
    return {"", std::to_string(verification->pairs.size()) + " tensors the same"};
}

// Reasons that freezing cannot remedy: missing values, and outputs that change a variable.
std::string reasonNotTo(const std::string& message)
{
    if (message.find("which is missing") != std::string::npos)
        return "the values of its variables are not here";
    if (message.find("changes or asks for the state of") != std::string::npos)
        return "its outputs change a variable";
    if (message.starts_with("late: "))
        return "a variable is set by an initializer alone";
    return {};
}

// The recipes for Arm processors work after functions were inlined.
std::string recipeFault(const GraphEntry& entry, const Purpose& purpose)
{
    std::vector<std::string> inputs;
    for (const Node* node : placeholdersFor(*entry.graph, purpose))
        inputs.emplace_back(node->name());
    for (const char* name : {"arm-32bit", "arm-8bit"}) {
        const auto fitted = fitPreset(*findPreset(name), entry, inputs, purpose.outputs, Job());
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
    if (!frozen) {
        const std::string reason = reasonNotTo(frozen.error().message);
        return {reason.empty() ? frozen.error().message : "", "", reason};
    }
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
                std::printf("    %-70s %s%s%s\n", name.c_str(), outcome.facts.c_str(),
                            outcome.fault.c_str(), outcome.skipped.c_str());
                if (!outcome.fault.empty() || outcome.skipped.empty())
                    tally.check(outcome.fault.empty(), name, outcome.fault);
                else
                    tally.skipped(name, outcome.skipped);
            }
    }
    tally.finish();
}

} // namespace lapidary::goldens
