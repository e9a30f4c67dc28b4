// SPDX-License-Identifier: Apache-2.0
// transform_graph, as called through a link of that name (spec: transforms, section 4).
#include "app/cli/guard.h"
#include "app/cli/originals/original_flags.h"
#include "app/cli/originals/original_loading.h"
#include "app/cli/tool_list.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"
#include "runner/guard/machine_memory.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ostream>

#include <pwd.h>

namespace lapidary {
namespace {

struct Arguments {
    std::string inGraph;
    std::string outGraph;
    std::string inputs;
    std::string outputs;
    std::string transforms;
    bool asText = false;
};

// Resolves "~/x" and "~user/x" by HOME and the password database; other paths are returned
// unchanged.
std::string withHome(const std::string& path)
{
    if (!path.starts_with('~'))
        return path;
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string user = path.substr(1, slash - 1);
    const char* home =
        user.empty() ? std::getenv("HOME") : nullptr; // NOLINT(concurrency-mt-unsafe)
    std::array<char, 4096> room{};
    passwd entry{};
    passwd* found = nullptr;
    if (home == nullptr && !user.empty() &&
        getpwnam_r(user.c_str(), &entry, room.data(), room.size(), &found) == 0 && found)
        home = entry.pw_dir;
    return home == nullptr ? path : home + path.substr(slash);
}

void declare(OriginalFlags& flags, Arguments& arguments)
{
    flags.addString("in_graph", arguments.inGraph, "input graph file name");
    flags.addString("out_graph", arguments.outGraph, "output graph file name");
    flags.addString("inputs", arguments.inputs, "inputs");
    flags.addString("outputs", arguments.outputs, "outputs");
    flags.addString("transforms", arguments.transforms, "list of transforms");
    flags.addBool("output_as_text", arguments.asText,
                  "whether to write the graph in text protobuf format");
}

std::string usageOf(const OriginalFlags& flags)
{
    std::string text = flags.usage() + "\nTransforms are:\n";
    for (const Pass* pass : allPasses())
        text += std::string(pass->name) + "\n";
    return text;
}

// Splits "a,b" into a and b; "" into nothing; "a," into a and an empty name.
std::vector<std::string> splitNames(const std::string& text)
{
    std::vector<std::string> names;
    if (text.empty())
        return names;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        names.push_back(text.substr(start, comma - start));
        start = comma + 1;
    }
    return names;
}

// Returns the first fault of the arguments, in the order in which the original checks them; empty
// if there is none.
std::string fault(const OriginalFlags& flags, const Arguments& arguments)
{
    if (!flags.leftover().empty())
        return "Unknown argument " + flags.leftover().front() + ".";
    if (arguments.inGraph.empty())
        return "in_graph graph can't be empty.";
    if (arguments.outGraph.empty())
        return "out_graph graph can't be empty.";
    if (arguments.transforms.empty())
        return "You must specify at least one transform.";
    return "";
}

Status save(const Graph& graph, const Arguments& arguments)
{
    if (!arguments.asText)
        return writeFileAtomically(arguments.outGraph, graphDefSource(graph));
    const auto text = graphDefText(graph);
    return text ? writeFileAtomically(arguments.outGraph, text.value()) : Status(text.error());
}

void logSteps(const RecipeRun& run, const Recipe& recipe, Console& console)
{
    for (const auto& state : run.states) {
        console.err << "Applying " << state.pass->name << '\n';
        if (!state.ignoredError.empty())
            originalLog(console.err,
                        std::string(state.pass->name) + ": Ignoring error " + state.ignoredError);
    }
    if (!run.ok() && run.states.size() < recipe.size())
        console.err << "Applying " << recipe[run.states.size()].pass << '\n';
}

int transform(const Arguments& arguments, const std::string& usage, Console& console)
{
    const auto recipe = parseRecipe(arguments.transforms, RecipeSyntax::Original);
    if (!recipe) {
        originalLog(console.err,
                    "Failed to parse --transform argument, error was " + recipe.error().message);
        return originalFailure;
    }
    if (recipe->empty()) {
        originalLog(console.err, "You must specify at least one transform.\n" + usage);
        return originalFailure;
    }
    const auto graph = loadAsOriginal(arguments.inGraph, console.job);
    if (!graph) {
        originalLog(console.err, "Loading graph '" + arguments.inGraph + "' failed with " +
                                     graph.error().message + "\n" + usage);
        return originalFailure;
    }
    const RecipeRun run =
        runRecipe(*graph, *recipe, splitNames(arguments.inputs), splitNames(arguments.outputs),
                  console.job, {StepCheck::Names, KeptGraphs::Last});
    logSteps(run, *recipe, console);
    if (!run.ok()) {
        originalLog(console.err, run.fault + "\n" + usage);
        return originalFailure;
    }
    if (const Status saved = save(*run.result(*graph), arguments); !saved) {
        originalLog(console.err, "Saving graph '" + arguments.outGraph + "' failed with " +
                                     saved.error().message);
        return originalFailure;
    }
    return 0;
}

int runTransformGraph(std::string_view calledAs, std::span<const std::string> words,
                      Console& console)
{
    Arguments arguments;
    OriginalFlags flags(calledAs);
    declare(flags, arguments);
    const bool parsed = flags.parse(words, console.err);
    const std::string usage = usageOf(flags);
    if (!parsed) {
        originalLog(console.err, usage);
        return originalFailure;
    }
    if (const std::string what = fault(flags, arguments); !what.empty()) {
        originalLog(console.err, what + "\n" + usage);
        return originalFailure;
    }
    arguments.inGraph = withHome(arguments.inGraph);
    arguments.outGraph = withHome(arguments.outGraph);
    BoxGrants grants{.writable = {arguments.outGraph}, .memory = usualMemoryLimit()};
    grantModel(arguments.inGraph, grants);
    if (const auto recipe = parseRecipe(arguments.transforms, RecipeSyntax::Original))
        grantRecipe(*recipe, grants);
    if (const auto outside = startGuarded(GuardFlags(), grants, console))
        return *outside;
    return transform(arguments, usage, console);
}

} // namespace

const ReplacedTool tools::transformGraph{
    .name = "transform_graph", .run = runTransformGraph, .runsGraphs = true};

} // namespace lapidary
