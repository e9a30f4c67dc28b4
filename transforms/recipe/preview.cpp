#include "transforms/recipe/preview.h"

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
    for (std::size_t i = 0; i < run.states.size(); ++i) {
        const RecipeState& state = run.states[i];
        StepPreview step{state.pass, before, {}, state.edit.changes, state.edit.places};
        if (state.pass->find != nullptr && state.ignoredError.empty()) {
            auto findings = state.pass->find(before, {inputs, outputs, recipe[i].parameters}, job);
            if (!findings)
                return findings.error();
            step.findings = std::move(findings).value();
            step.places = matchesOf(step.findings);
        }
        preview.push_back(std::move(step));
        before = state.edit.graph;
    }
    return preview;
}

} // namespace lapidary
