// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/point_builder.h"

#include "graph_model/write/gzip_size.h"
#include "graph_model/write/write_model.h"
#include "transforms/accuracy/expected_loss.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>

namespace lapidary {

Result<AutopilotPoint> PointBuilder::build(AutopilotPoint point, const GraphPtr& graph,
                                           std::size_t done, std::optional<double> top1,
                                           const Job& job) const
{
    const Recipe rest(point.recipe.begin() + std::ptrdiff_t(done), point.recipe.end());
    const RecipeRun run = runRecipe(graph, rest, m_fitted.inputs, m_fitted.outputs, job);
    if (!run.ok())
        return Error{run.faultCode, run.fault};
    const GraphPtr named = run.result(graph);
    ASSIGN_OR_RETURN(point.noise, m_meter.of(named, job));
    ASSIGN_OR_RETURN(const GraphPtr shortened, afterSteps(named, shorteningSteps, m_fitted, job));
    ASSIGN_OR_RETURN(const Recipe last, parseRecipe(shorteningSteps, RecipeSyntax::Strict));
    point.recipe.insert(point.recipe.end(), last.begin(), last.end());
    point.encoded = encodeGraphDef(*shortened);
    point.bytes = std::int64_t(point.encoded.size());
    RETURN_IF_ERROR(reopen(named, point, job));
    ASSIGN_OR_RETURN(const std::uint64_t compressed, gzipSize(point.encoded, job));
    point.gzipBytes = std::int64_t(compressed);
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

// What was encoded has to compute what was measured.
Status PointBuilder::reopen(const GraphPtr& named, AutopilotPoint& point, const Job& job) const
{
    ASSIGN_OR_RETURN(const auto file, readModelBytes(point.encoded, "the result", job));
    if (file.isRefused() || file.graphs.empty())
        return Error{ErrorCode::Internal, "the result cannot be read again"};
    constexpr std::size_t some = 2;
    ProbePlan few = m_options.probes;
    few.count = std::min(few.count, some);
    GraphEntry measured = m_entry;
    measured.graph = named;
    ASSIGN_OR_RETURN(const auto meter,
                     NoiseMeter::make(measured, m_path, m_fitted.outputs, few, job));
    ASSIGN_OR_RETURN(const Noise noise, meter.of(file.graphs.front().graph, job));
    constexpr double rounding = 1e-10;
    if (!(noise.ratio <= rounding))
        return Error{ErrorCode::Internal, "the result computes something else once written"};
    if (m_options.top1) {
        ASSIGN_OR_RETURN(point.top1, m_options.top1(file.graphs.front(), job));
    }
    return Done{};
}

} // namespace lapidary
