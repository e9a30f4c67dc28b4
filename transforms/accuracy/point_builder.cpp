// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/point_builder.h"

#include "graph_model/write/write_model.h"
#include "transforms/accuracy/expected_loss.h"
#include "transforms/accuracy/shortening_steps.h"
#include "transforms/recipe/followed_names.h"
#include "transforms/recipe/run_recipe.h"

#include <utility>

namespace lapidary {

namespace {

// Returns the names of tensors after the steps of a run.
std::vector<std::string> namesAfter(const RecipeRun& run, const GraphPtr& before,
                                    std::vector<std::string> tensors)
{
    GraphPtr graph = before;
    for (const RecipeState& state : run.states) {
        tensors = followedNames(std::move(tensors), *graph, state.edit);
        graph = state.edit.graph;
    }
    return tensors;
}

} // namespace

Result<AutopilotPoint> PointBuilder::build(AutopilotPoint point, const GraphPtr& graph,
                                           std::size_t done, std::optional<double> top1,
                                           const Job& job) const
{
    // Names and attributes cost bytes, but no time.
    const Recipe last = m_timer == nullptr ? shorteningSteps(*graph) : Recipe();
    point.recipe.insert(point.recipe.end(), last.begin(), last.end());
    const Recipe rest(point.recipe.begin() + std::ptrdiff_t(done), point.recipe.end());
    const RecipeRun run = runRecipe(graph, rest, m_fitted.inputs, m_fitted.outputs, job);
    if (!run.ok())
        return Error{run.faultCode, run.fault};
    point.encoded = encodeGraphDef(*run.result(graph));
    point.bytes = std::int64_t(point.encoded.size());
    RETURN_IF_ERROR(reopen(point, namesAfter(run, graph, m_meter.tensors()), job));
    setLoss(point, top1);
    return point;
}

void PointBuilder::setLoss(AutopilotPoint& point, std::optional<double> top1) const
{
    if (top1 && point.top1) {
        point.loss = *top1 - *point.top1;
        return;
    }
    point.isEstimated = m_options.probes.samples.empty() || !point.noise.top1;
    point.loss = point.isEstimated ? expectedLoss(point.noise.sqnrDb()) : 1 - *point.noise.top1;
}

// Reads the encoded file again and measures it.
Status PointBuilder::reopen(AutopilotPoint& point, const std::vector<std::string>& tensors,
                            const Job& job) const
{
    ASSIGN_OR_RETURN(const auto file,
                     readModelBytes(point.encoded, "the result", job, ReadOptions{.check = false}));
    if (file.isRefused() || file.graphs.empty())
        return Error{ErrorCode::Internal, "the result cannot be read again"};
    const GraphEntry& entry = file.graphs.front();
    ASSIGN_OR_RETURN(point.noise, m_meter.of(entry.graph, tensors, job));
    if (m_timer != nullptr) {
        ASSIGN_OR_RETURN(point.nanoseconds, m_timer->of(entry.graph, tensors, job));
    }
    if (m_options.top1) {
        ASSIGN_OR_RETURN(point.top1, m_options.top1(entry, job));
    }
    return Done{};
}

} // namespace lapidary
