// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/preview.h"

#include "transforms/recipe/followed_names.h"

namespace lapidary {

Result<RecipePreview> previewRecipe(const GraphPtr& graph, const Recipe& recipe,
                                    const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs, const Job& job)
{
    const RecipeRun run = runRecipe(graph, recipe, inputs, outputs, job);
    if (!run.ok())
        return Error{run.faultCode, run.fault};
    RecipePreview preview;
    GraphPtr before = graph;
    PassArgs args{inputs, outputs, {}};
    for (std::size_t i = 0; i < run.states.size(); ++i) {
        const RecipeState& state = run.states[i];
        StepPreview step{state.pass, before, {}, state.edit.changes, state.edit.places};
        args.parameters = recipe[i].parameters;
        if (state.pass->find != nullptr && state.ignoredError.empty()) {
            ASSIGN_OR_RETURN(auto findings, state.pass->find(before, args, job));
            step.findings = std::move(findings);
            step.places = matchesOf(step.findings);
        }
        preview.push_back(std::move(step));
        args.inputs = followedNames(std::move(args.inputs), *before, state.edit);
        args.outputs = followedNames(std::move(args.outputs), *before, state.edit);
        before = state.edit.graph;
    }
    return preview;
}

} // namespace lapidary
