// SPDX-License-Identifier: Apache-2.0
// support: tells whether a graph can run in a build of TensorFlow, and what helps if it cannot.
#include "app/base/exit_codes.h"
#include "app/cli/guard.h"
#include "app/cli/reports/support_report.h"
#include "graph_model/base/nearest_word.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/interface/no_outputs.h"
#include "runner/guard/machine_memory.h"
#include "runner/setup/model_interface.h"
#include "transforms/recipe/run_recipe.h"

#include <iterator>
#include <ostream>

namespace lapidary {
namespace {

struct SupportOptions {
    std::string target;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::string recipe;
    std::string message;
    bool listsTargets = false;
    GuardFlags guard; // recipes and remedies compute constants
};

void declare(VerbCall& call, SupportOptions& wanted)
{
    call.addFile();
    call.addJson();
    CLI::App& options = call.options();
    options.get_option("FILE")->required(false);
    options.add_option("--target", wanted.target,
                       "the target to check, such as android_full; --targets lists them");
    options.add_flag("--targets", wanted.listsTargets, "list the targets and end");
    options.add_option("--inputs", wanted.inputs, "names of the inputs; default: the likely ones")
        ->delimiter(',');
    options
        .add_option("--outputs", wanted.outputs, "names of the outputs; default: the likely ones")
        ->delimiter(',');
    options.add_option(
        "--transforms", wanted.recipe,
        "check the graph after this recipe and report the ops that it makes unsupported");
    options.add_option("--message", wanted.message,
                       "error message of a program that could not load the graph; finds its node; "
                       "- reads it from standard input");
    addGuardOptions(options, wanted.guard);
}

BoxGrants grantsOf(const SupportOptions& wanted, const std::string& model)
{
    BoxGrants grants{.memory = usualMemoryLimit()};
    grantModel(model, grants);
    if (const auto recipe = parseRecipe(wanted.recipe, RecipeSyntax::Strict))
        grantRecipe(*recipe, grants);
    return grants;
}

int listTargets(const OpSupport& table, const VerbCall& call, Console& console)
{
    if (call.wantsJson()) {
        Json targets = Json::array();
        for (const Target& target : allTargets())
            targets.push_back(
                {{"name", target.name}, {"title", target.title}, {"ops", table.opsIn(target)}});
        printJson({{"targets", std::move(targets)}}, console);
        return exit_code::done;
    }
    for (const Target& target : allTargets())
        console.out << "  " << target.name << std::string(27 - target.name.size(), ' ')
                    << target.title << "; " << table.opsIn(target) << " ops\n";
    return exit_code::done;
}

const Target* targetOf(const VerbCall& call, const SupportOptions& wanted, int& exitCode)
{
    const Target* target = findTarget(wanted.target);
    if (target != nullptr)
        return target;
    std::vector<std::string> names;
    for (const Target& one : allTargets())
        names.emplace_back(one.name);
    const std::string nearest = nearestWord(wanted.target, names);
    exitCode = call.wrongUse(
        wanted.target.empty()
            ? "choose a target with --target; --targets lists them"
            : "--target " + wanted.target + " is not known" +
                  (nearest.empty() ? "; --targets lists them" : "; did you mean " + nearest + "?"));
    return nullptr;
}

// Fills in the likely interface if none is given.
void completeInterface(const GraphEntry& entry, SupportOptions& wanted)
{
    const auto likely = modelInterface(entry, "");
    if (!likely)
        return;
    if (wanted.inputs.empty())
        for (const FeedTarget& input : likely->inputs)
            wanted.inputs.push_back(input.tensor);
    if (wanted.outputs.empty())
        wanted.outputs = likely->outputs;
}

// Returns the graph after the recipe; reports on standard error the ops without a kernel that the
// recipe added.
Result<GraphPtr> afterRecipe(const GraphPtr& graph, const SupportOptions& wanted,
                             const OpSupport& table, const Target& target, Console& console)
{
    ASSIGN_OR_RETURN(const auto recipe, parseRecipe(wanted.recipe, RecipeSyntax::Strict));
    const RecipeRun run = runRecipe(graph, recipe, wanted.inputs, wanted.outputs, console.job);
    if (!run.ok())
        return Error{run.faultCode, run.fault};
    GraphPtr before = graph;
    for (std::size_t i = 0; i < run.states.size(); ++i) {
        const GraphPtr& after = run.states[i].edit.graph;
        for (const NodePtr& node : after->nodes()) {
            const NodeId old = before->find(node->name());
            const bool isNew = !old.isValid() || before->node(old).op() != node->op();
            if (isNew && isMissing(table.of(*node, target).fault))
                console.complain("warning: step " + std::to_string(i + 1) + ", " + recipe[i].pass +
                                 ", makes " + std::string(node->name()) + ", a " +
                                 std::string(node->op()) + ", which has no kernel on " +
                                 std::string(target.name));
        }
        before = after;
    }
    return before;
}

int explain(const Graph& graph, const SupportOptions& wanted, const VerbCall& call,
            const OpSupport& table, Console& console)
{
    const std::string text = wanted.message == "-"
                                 ? std::string(std::istreambuf_iterator<char>(console.in), {})
                                 : wanted.message;
    auto message = parseKernelMessage(text);
    if (!message) {
        console.complain(
            "--message: this is not a known message about ops or kernels; pass the whole message");
        return exit_code::failed;
    }
    const MessageAnswer answer = explainMessage(graph, *std::move(message), table);
    const Target* target = findTarget(wanted.target);
    if (call.wantsJson())
        printJson(messageJson(graph, answer, table, target), console);
    else
        printMessage(graph, answer, table, target, console);
    return answer.nodes.empty() ? exit_code::done : exit_code::found;
}

int check(const GraphEntry& entry, SupportOptions& wanted, const VerbCall& call,
          const OpSupport& table, const Target& target, Console& console)
{
    completeInterface(entry, wanted);
    GraphPtr graph = entry.graph;
    if (!wanted.recipe.empty()) {
        const auto after = afterRecipe(graph, wanted, table, target, console);
        if (!after)
            return failWith(after.error(), console);
        graph = *after;
    }
    auto report = checkSupport(*graph, wanted.inputs, wanted.outputs, table, target, console.job);
    if (!report)
        return failWith(report.error().within(shownPath(call.file())), console);
    auto plan = planRemedies(graph, wanted.inputs, wanted.outputs, table, target, console.job);
    if (!plan)
        return failWith(plan.error().within(shownPath(call.file())), console);
    const SupportAnswer answer{.target = &target,
                               .file = call.file(),
                               .report = *std::move(report),
                               .plan = *std::move(plan),
                               .hasInterface = !wanted.outputs.empty()};
    if (call.wantsJson())
        printJson(supportJson(*graph, answer), console);
    else
        printSupport(*graph, answer, console);
    return answer.report.blocking(target) == 0 ? exit_code::done : exit_code::found;
}

int runSupport(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    SupportOptions wanted;
    declare(call, wanted);
    if (const auto done = call.parse(arguments))
        return *done;
    const OpSupport table;
    if (wanted.listsTargets)
        return listTargets(table, call, console);
    if (call.file().empty())
        return call.wrongUse("FILE is missing");
    int exitCode = exit_code::done;
    const Target* target = nullptr;
    if (wanted.message.empty() || !wanted.target.empty()) {
        target = targetOf(call, wanted, exitCode);
        if (target == nullptr)
            return exitCode;
    }
    if (const auto outside = startGuarded(wanted.guard, grantsOf(wanted, call.file()), console))
        return *outside;
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    if (!wanted.message.empty())
        return explain(*opened.entry->graph, wanted, call, table, console);
    if (const Status known =
            requireTensorFlow(*opened.entry->graph, "is not checked against builds of TensorFlow");
        !known)
        return failWith(known.error().within(shownPath(call.file())), console);
    if (opened.entry->graph->size() == 0)
        return failWith(noOutputs(*opened.entry->graph, "").within(shownPath(call.file())),
                        console);
    return check(*opened.entry, wanted, call, table, *target, console);
}

} // namespace

const Verb verbs::support{
    .name = "support",
    .synopsis = "support FILE --target NAME",
    .summary =
        "Checks whether a graph can run on a phone or board, and suggests fixes if it cannot.",
    .example = "lapidary support model.pb --target android_full --outputs softmax",
    .run = runSupport,
    .chapter = "device",
    .runsGraphs = true,
};

} // namespace lapidary
