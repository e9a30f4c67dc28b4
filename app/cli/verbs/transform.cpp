// SPDX-License-Identifier: Apache-2.0
// transform: runs a recipe of passes on a graph and writes the result.
#include "app/base/exit_codes.h"
#include "app/cli/graph_output.h"
#include "app/cli/reports/transform_report.h"
#include "app/cli/size_flags.h"
#include "app/cli/variables.h"
#include "app/cli/verb_call.h"
#include "app/cli/verification.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/base/text.h"
#include "graph_model/interface/interface_flags.h"
#include "runner/guard/out_of_memory.h"
#include "runner/setup/model_interface.h"
#include "transforms/pass/reference_page.h"
#include "transforms/recipe/presets.h"
#include "transforms/recipe/recipe_remarks.h"
#include "transforms/recipe/repro_script.h"
#include "transforms/recipe/run_recipe.h"
#include "transforms/recipe/suggestion.h"
#include "transforms/verify/loss_reason.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>

namespace lapidary {
namespace {

struct TransformOptions {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::string recipe;
    std::string recipeFile;
    std::string preset;
    std::string out;
    std::string outGraph;
    std::string signature;
    std::string describe;
    std::string stats; // "", "plain" or "gzip"
    std::string repro;
    bool asText = false;
    bool lists = false;
    bool printsReference = false;
    bool previews = false;
    bool verifies = false;
    VariableFlags variables;
    VerifyFlags verify;
};

void declare(VerbCall& call, TransformOptions& wanted)
{
    call.addFile();
    call.addJson();
    CLI::App& options = call.options();
    options.get_option("FILE")->required(false);
    options.add_option("--in_graph,--in-graph", call.file(), "the same as FILE");
    options.add_option("--inputs", wanted.inputs, "names of the inputs")->delimiter(',');
    options.add_option("--outputs", wanted.outputs, "names of the outputs")->delimiter(',');
    options.add_option("--signature", wanted.signature,
                       "use the inputs and outputs of this signature");
    options.add_option("--transforms", wanted.recipe,
                       "the recipe, as in 'remove_device "
                       "round_weights(num_steps=64)'");
    options.add_option("--recipe", wanted.recipeFile, "a file with the recipe");
    options.add_option("--preset", wanted.preset,
                       "a built-in recipe: arm-32bit, arm-8bit, "
                       "arm-8bit-accurate, arm-8bit-observed (with --images), small-download, "
                       "mobile-fp32; finds inputs and outputs by itself");
    options.add_option("-o,--output", wanted.out,
                       "the file to write (.pb: binary, .pbtxt: text); - for standard output");
    options.add_option("--out_graph,--out-graph", wanted.outGraph, "the same as -o");
    options.add_flag("--output_as_text,--output-as-text", wanted.asText, "write text");
    options.add_flag("--list", wanted.lists, "list all passes");
    options.add_flag("--reference", wanted.printsReference,
                     "print the handbook's page of all passes, in Markdown");
    options.add_option("--describe", wanted.describe, "describe one pass in full");
    options.add_option(
        "--repro", wanted.repro,
        "also write a shell script that rebuilds OUT from FILE and checks the SHA-256 of both");
    options.add_flag("--preview", wanted.previews,
                     "list what would be rewritten and what not, and write nothing");
    options
        .add_flag("--stats{plain}", wanted.stats,
                  "print nodes and bytes before and after each step; --stats=gzip: compressed "
                  "bytes too, which takes seconds")
        ->check(CLI::IsMember({"plain", "gzip"}))
        ->option_text(" ");
    options.add_flag("--verify", wanted.verifies,
                     "run the graph before and after on the same inputs; the exit code is 1 if the "
                     "results differ");
    addVariableOptions(call, wanted.variables);
    addVerifyOptions(call, wanted.verify);
}

int describe(const std::string& name, const VerbCall& call, Console& console)
{
    const Pass* pass = findPass(name);
    if (pass == nullptr)
        return call.wrongUse("there is no pass " + name + suggestion(name, passNames()));
    if (call.wantsJson())
        printJson({{"passes", Json::array({passJson(*pass)})}}, console);
    else
        console.out << passReference(*pass);
    return exit_code::done;
}

int list(const VerbCall& call, Console& console)
{
    Json passes = Json::array();
    for (const Pass* pass : allPasses()) {
        passes.push_back(passJson(*pass));
        if (!call.wantsJson())
            console.out << pass->name
                        << std::string(46 - std::min<std::size_t>(45, pass->name.size()), ' ')
                        << pass->summary << '\n';
    }
    if (call.wantsJson())
        printJson({{"passes", std::move(passes)}}, console);
    return exit_code::done;
}

// Returns the numbers that black and white are scaled to.
SeededRange pixelRange(const VerifyFlags& flags)
{
    constexpr double white = 255;
    return {-double(flags.mean) / double(flags.std),
            (white - double(flags.mean)) / double(flags.std)};
}

// Fills in those inputs and outputs of --signature that are not given.
Status takeSignature(const GraphEntry& entry, TransformOptions& wanted)
{
    if (wanted.signature.empty())
        return Done{};
    ASSIGN_OR_RETURN(const ModelInterface known, modelInterface(entry, wanted.signature));
    if (wanted.inputs.empty())
        for (const FeedTarget& input : known.inputs)
            wanted.inputs.push_back(tensorAsFlag(input.tensor));
    if (wanted.outputs.empty())
        std::ranges::transform(known.outputs, std::back_inserter(wanted.outputs), tensorAsFlag);
    return Done{};
}

// Replaces the recipe by that of the preset, fitted to the graph.
Status applyPreset(const GraphEntry& entry, TransformOptions& wanted, Recipe& recipe,
                   Console& console)
{
    if (wanted.preset.empty())
        return Done{};
    ASSIGN_OR_RETURN(auto fitted, fitPreset(*findPreset(wanted.preset), entry, wanted.inputs,
                                            wanted.outputs, console.job));
    recipe = std::move(fitted.recipe);
    if (needsSamples(*findPreset(wanted.preset)))
        giveSamples(recipe, wanted.verify.images, pixelRange(wanted.verify));
    wanted.inputs = std::move(fitted.inputs);
    wanted.outputs = std::move(fitted.outputs);
    return Done{};
}

Result<Recipe> wantedRecipe(const TransformOptions& wanted)
{
    if (wanted.recipeFile.empty())
        return parseRecipe(wanted.recipe, RecipeSyntax::Strict);
    ASSIGN_OR_RETURN(const auto text, openFile(wanted.recipeFile));
    return parseRecipe(text->bytes(), RecipeSyntax::Strict);
}

// Prints remarks to standard error that the result itself does not show.
void printRemarks(const GraphPtr& before, const RecipeRun& run, const TransformOptions& wanted,
                  Console& console)
{
    const PassArgs args{wanted.inputs, wanted.outputs, {}};
    for (const std::string& remark :
         recipeRemarks(before, run, args, !wanted.preset.empty(), console.job))
        console.complain(remark);
}

int preview(const GraphPtr& graph, const Recipe& recipe, const TransformOptions& wanted,
            const VerbCall& call, Console& console)
{
    const auto previews = previewRecipe(graph, recipe, wanted.inputs, wanted.outputs, console.job);
    if (!previews)
        return failWith(previews.error(), console);
    // Tells before the work whether it is worthwhile.
    const RecipeRun run = runRecipe(graph, recipe, wanted.inputs, wanted.outputs, console.job);
    if (run.ok())
        if (const std::string remark = growthRemark(*graph, *run.result(graph), run);
            !remark.empty())
            console.complain(remark);
    if (call.wantsJson())
        printJson(previewJson(*previews), console);
    else
        console.out << previewText(*previews);
    return exit_code::done;
}

// Tells whether a step rounded weights on purpose; the graph itself does not show that.
bool rounds(const RecipeRun& run)
{
    return std::ranges::any_of(run.states, [](const RecipeState& state) {
        return state.pass->name == "round_weights" && state.edit.changes > 0;
    });
}

// Prints the requested reports about the file that is written; returns an exit code. `base`: the
// graph that the recipe ran on.
int report(const GraphEntry& entry, const GraphPtr& base, const RecipeRun& run,
           const TransformOptions& wanted, const VerbCall& call, Console& console)
{
    Json json = Json::object();
    printRemarks(base, run, wanted, console);
    if (!wanted.stats.empty()) {
        const auto sizes = measureSizes(base, run, wanted.stats == "gzip", console.job);
        if (!sizes)
            return failWith(sizes.error(), console);
        if (call.wantsJson())
            json = statsJson(base, run, *sizes);
        else
            console.err << statsText(base, run, *sizes);
    }
    int code = exit_code::done;
    if (wanted.verifies) {
        VerifyFlags flags = wanted.verify;
        flags.inputs = wanted.inputs;
        flags.run.fetches = wanted.outputs;
        const auto plan = planOf(flags);
        if (!plan)
            return failWith(plan.error(), console);
        GraphEntry after = entry;
        after.graph = run.result(base);
        const auto found =
            verifyGraphs({entry, call.file()}, {after, call.file()}, *plan, console.job);
        if (!found)
            return failWith(
                withProposedSizes(found.error().within("verification"), entry, console.job),
                console);
        const bool acceptsLoss = acceptsSmallLoss(flags, *entry.graph, *after.graph) ||
                                 (rounds(run) && !flags.hasTolerance());
        code = verificationCode(*found, acceptsLoss, console);
        const std::string reason = lossReason(*after.graph, *found);
        if (call.wantsJson())
            json["verification"] = verificationJson(*found, acceptsLoss, reason);
        else
            printVerification(*found, acceptsLoss, console.err);
        if (!reason.empty())
            console.complain(reason);
    }
    if (!json.empty())
        printJson(json, console);
    return code;
}

// Writes the script that makes the written file again.
int writeRepro(const OpenedModel& opened, const Recipe& recipe, const TransformOptions& wanted,
               const VerbCall& call, Console& console)
{
    if (wanted.repro.empty())
        return exit_code::done;
    Reproduction made;
    made.input = call.file();
    if (opened.file->graphs.size() > 1)
        made.graphNumber = opened.number;
    made.inputs = wanted.inputs;
    made.outputs = wanted.outputs;
    made.recipe = recipe;
    made.result = wanted.out;
    made.isText = writesText(wanted.out, wanted.asText);
    made.version = LAPIDARY_VERSION;
    auto digest = fileSha256(wanted.out, console.job);
    if (!digest)
        return failWith(digest.error(), console);
    made.resultSha256 = *std::move(digest);
    const auto script = reproScript(made, console.job);
    if (!script)
        return failWith(script.error(), console);
    const Status written = writeReproScript(wanted.repro, *script);
    return written ? exit_code::done : failWith(written.error(), console);
}

// Runs the recipe within the memory that the flags allow.
Result<RecipeRun> runBounded(const GraphPtr& graph, const Recipe& recipe,
                             const TransformOptions& wanted, const Job& job)
{
    ASSIGN_OR_RETURN(const RunPlan plan, planOf(wanted.verify.run));
    const RunGuard guard(plan.session.memoryLimit, heap::bytesInUse(), job);
    return withinMemory("the recipe", [&] {
        return Result<RecipeRun>(
            runRecipe(graph, recipe, wanted.inputs, wanted.outputs, job,
                      {.kept = wanted.stats.empty() ? KeptGraphs::Last : KeptGraphs::All}));
    });
}

// Returns the fault if an output would overwrite a file that is read, or could not be made again;
// empty if there is none.
std::string wrongOutput(const VerbCall& call, const TransformOptions& wanted)
{
    const auto isSame = [](const std::string& a, const std::string& b) {
        std::error_code ignored;
        return !a.empty() && !b.empty() && (a == b || std::filesystem::equivalent(a, b, ignored));
    };
    if (std::string why = overwritten(call.file(), wanted.out); !why.empty())
        return why;
    if (wanted.repro.empty())
        return {};
    if (call.file() == "-" || wanted.out.empty() || wanted.out == "-" || wanted.previews)
        return "--repro needs files: FILE and -o OUT";
    if (isSame(call.file(), wanted.repro) || isSame(wanted.out, wanted.repro))
        return "--repro '" + wanted.repro + "' is the model itself; choose another name";
    return {};
}

// Freezing drops inputs that the outputs do not need, mostly labels.
void dropLeftOut(const Graph& before, const Graph& after, std::vector<std::string>& inputs)
{
    std::erase_if(inputs, [&](const std::string& input) {
        const std::string_view node = parseInput(input).node;
        return before.find(node).isValid() && !after.find(node).isValid();
    });
}

int transform(const VerbCall& call, TransformOptions wanted, Recipe recipe, Console& console)
{
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    if (const Status taken = takeSignature(*opened.entry, wanted); !taken)
        return failWith(taken.error().within(shownPath(call.file())), console);
    if (const Status fitted = applyPreset(*opened.entry, wanted, recipe, console); !fitted)
        return failWith(fitted.error(), console);
    const auto entry =
        frozenIfNeeded(opened, wanted.variables, wanted.outputs, !wanted.preset.empty(), console);
    if (!entry)
        return failWith(entry.error().within(shownPath(call.file())), console);
    const GraphPtr& graph = entry->graph;
    dropLeftOut(*opened.entry->graph, *graph, wanted.inputs);
    if (graph != opened.entry->graph && !wanted.repro.empty())
        return call.wrongUse("--repro cannot freeze; freeze the model first with the verb freeze, "
                             "and run this on what it wrote");
    if (wanted.previews)
        return preview(graph, recipe, wanted, call, console);
    const auto made = runBounded(graph, recipe, wanted, console.job);
    if (!made)
        return failWith(made.error().within(shownPath(call.file())), console);
    const RecipeRun& run = *made;
    for (const RecipeState& state : run.states)
        if (!state.ignoredError.empty())
            console.complain(std::string(state.pass->name) +
                             ": left out because of an error: " + state.ignoredError);
    if (!run.ok())
        return failWith({run.faultCode, shownPath(call.file()) + ": " + run.fault +
                                            (run.faultReason == ErrorReason::NoOutputs
                                                 ? ", with --inputs and --outputs"
                                                 : "")},
                        console);
    if (!wanted.out.empty())
        if (const Status kept =
                checkVariables(opened, wanted.variables, *run.result(graph), console);
            !kept)
            return failWith(kept.error(), console);
    if (!wanted.out.empty())
        if (const int code = writeGraph(*run.result(graph), wanted.out, wanted.asText, console);
            code != exit_code::done)
            return code;
    if (const int code = writeRepro(opened, recipe, wanted, call, console); code != exit_code::done)
        return code;
    return report(*opened.entry, graph, run, wanted, call, console);
}

std::string presetList()
{
    return listed(presetNames());
}

int runTransform(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    TransformOptions wanted;
    declare(call, wanted);
    if (const auto done = call.parse(arguments))
        return *done;
    if (wanted.lists)
        return list(call, console);
    if (wanted.printsReference) {
        console.out << passReferencePage();
        return exit_code::done;
    }
    if (!wanted.describe.empty())
        return describe(wanted.describe, call, console);
    if (wanted.out.empty())
        wanted.out = wanted.outGraph;
    if (call.file().empty())
        return call.wrongUse("FILE is missing");
    if (!wanted.preset.empty() && findPreset(wanted.preset) == nullptr)
        return call.wrongUse("there is no preset " + wanted.preset +
                             suggestion(wanted.preset, presetNames()) + "; there are " +
                             presetList());
    if (!wanted.preset.empty() && needsSamples(*findPreset(wanted.preset)) &&
        wanted.verify.images.empty())
        return call.wrongUse("--preset " + wanted.preset +
                             " needs sample inputs: pass --images FOLDER, and the --input-mean and "
                             "--input-std of the model");
    if (wanted.preset.empty() && wanted.recipe.empty() && wanted.recipeFile.empty())
        return call.wrongUse("no passes are given; pass --transforms 'PASS PASS(NAME=VALUE)'; "
                             "'lapidary transform --list' lists them");
    if (wanted.out.empty() && !wanted.previews && wanted.stats.empty() && !wanted.verifies)
        return call.wrongUse("no output is given; pass -o OUT, --preview, --stats or --verify");
    if (const std::string wrong = wrongOutput(call, wanted); !wrong.empty())
        return call.wrongUse(wrong);
    auto recipe =
        // The recipe of a preset depends on the model.
        wanted.preset.empty() ? wantedRecipe(wanted) : Recipe();
    if (!recipe)
        return call.wrongUse(recipe.error().message);
    if (recipe->empty() && wanted.preset.empty())
        return call.wrongUse("the recipe is empty");
    BoxGrants grants = grantsOf(wanted.verify, call.file());
    grantRecipe(*recipe, grants);
    grants.writable = {wanted.out, wanted.repro};
    if (!wanted.repro.empty()) // reads the written file again
        grantModel(wanted.out, grants);
    if (const auto outside = startGuarded(wanted.verify.run.guard, grants, console))
        return *outside;
    return transform(call, wanted, *std::move(recipe), console);
}

} // namespace

const Verb verbs::transform{
    .name = "transform",
    .synopsis = "transform FILE --transforms '...' -o OUT",
    .summary = "Runs a recipe of passes on a graph and writes the result.",
    .example = "lapidary transform model.pb --inputs x --outputs y --transforms "
               "'strip_unused_nodes fold_old_batch_norms' -o small.pb",
    .run = runTransform,
    .chapter = "transforming",
    .runsGraphs = true,
};

} // namespace lapidary
