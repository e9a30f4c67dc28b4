// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/run_recipe.h"

#include "graph_model/graph/dialect.h"
#include "transforms/edits/dangling_input.h"
#include "transforms/recipe/followed_names.h"
#include "transforms/recipe/step_check.h"
#include "transforms/recipe/suggestion.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lapidary {
namespace {

Result<bool> ignoresErrors(const RecipeStep& step)
{
    const std::vector<std::string> values = step.parameters.all("ignore_errors");
    if (values.empty())
        return false;
    std::string value = values.front();
    std::ranges::transform(value, value.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    if (value == "true" || value == "false")
        return value == "true";
    return Error{ErrorCode::InvalidArgument, step.pass +
                                                 ": ignore_errors must be true or false, "
                                                 "not \"" +
                                                 values.front() + "\""};
}

Result<RecipeState> runStep(const GraphPtr& graph, const RecipeStep& step, PassArgs args,
                            const Job& job, StepCheck check)
{
    const Pass* pass = findPass(step.pass);
    if (pass == nullptr)
        return Error{ErrorCode::InvalidArgument, "transform '" + step.pass + "' not recognized" +
                                                     suggestion(step.pass, passNames())};
    RETURN_IF_ERROR(requireTensorFlow(*graph, "is not transformed"));
    ASSIGN_OR_RETURN(const auto ignores, ignoresErrors(step));
    args.parameters = step.parameters;
    args.readsOnce = args.readsOnce && !ignores;
    RecipeState state;
    state.pass = pass;
    const auto begin = std::chrono::steady_clock::now();
    auto edit = pass->run(graph, args, job);
    state.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const bool cancelled = !edit && edit.error().code == ErrorCode::Cancelled;
    if (!edit && (cancelled || !ignores)) {
        const std::string& why = edit.error().message;
        const bool isNamed = why.starts_with(pass->name);
        return Error{edit.error().code, (isNamed ? "" : std::string(pass->name) + ": ") + why};
    }
    if (!edit) {
        state.ignoredError = edit.error().message;
        edit = GraphEdit(graph).finish();
    }
    state.edit = *std::move(edit);
    if (check == StepCheck::Wiring && state.edit.graph->size() == 0 && graph->size() > 0)
        return Error{ErrorCode::InvalidArgument,
                     std::string(pass->name) + ": no node would be left; name the outputs to keep",
                     ErrorReason::NoOutputs};
    // Names are unique: the edit refuses others.
    std::string fault = danglingInput(*state.edit.graph);
    if (fault.empty() && check == StepCheck::Wiring && state.edit.graph != graph)
        fault = stepFault(*graph, *state.edit.graph, job, state.edit.lineage);
    if (!fault.empty())
        return Error{ErrorCode::Internal, std::string(pass->name) + ": " + fault};
    return state;
}

// The counts are needed for later remarks on the step.
void forgetGraph(EditResult& edit)
{
    const EditResult whole = std::exchange(edit, {});
    edit.changes = whole.changes;
    edit.places = whole.places;
}

} // namespace

RecipeRun runRecipe(const GraphPtr& graph, const Recipe& recipe,
                    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                    const Job& job, const RecipeRunOptions& options)
{
    RecipeRun run;
    PassArgs args{inputs, outputs, {}};
    args.readsOnce = options.kept == KeptGraphs::Last;
    for (std::size_t i = 0; i < recipe.size(); ++i) {
        if (recipe[i].pass.empty())
            continue;
        job.progress(double(i) / double(recipe.size()));
        auto state = runStep(run.result(graph), recipe[i], args, job, options.check);
        if (!state) {
            run.fault = state.error().message;
            run.faultCode = state.error().code;
            run.faultReason = state.error().reason;
            return run;
        }
        const GraphPtr before = run.result(graph);
        run.states.push_back(*std::move(state));
        const EditResult& edit = run.states.back().edit;
        args.inputs = followedNames(std::move(args.inputs), *before, edit);
        args.outputs = followedNames(std::move(args.outputs), *before, edit);
        if (options.kept == KeptGraphs::Last && run.states.size() > 1)
            forgetGraph(run.states[run.states.size() - 2].edit);
    }
    job.progress(1);
    return run;
}

} // namespace lapidary
