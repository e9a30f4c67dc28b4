// SPDX-License-Identifier: Apache-2.0
#include "app/document/profile/delta_session.h"

#include "transforms/recipe/node_lineage.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace lapidary {
namespace {

using RowPairs = std::vector<ProfileDelta::RowPair>;

// Returns the number of steps that lead to a graph; 0: it is the first one.
std::optional<std::size_t> placeOf(const std::vector<LineageHop>& hops, const Graph* graph)
{
    if (!hops.empty() && hops.front().before == graph)
        return 0;
    const auto made = std::ranges::find(hops, graph, &LineageHop::after);
    return made == hops.end() ? std::nullopt : std::optional(std::size_t(made - hops.begin()) + 1);
}

std::map<NodeId, std::uint32_t> rowsByNode(const NodeProfile& profile, const Graph& graph)
{
    std::map<NodeId, std::uint32_t> rows;
    for (std::size_t i = 0; i < profile.nodes.size(); ++i)
        if (const NodeId id = graph.find(profile.nodes[i].name); id.isValid())
            rows.emplace(id, std::uint32_t(i));
    return rows;
}

std::vector<MadeState> madeStates(const RecipeSession& recipe)
{
    std::vector<MadeState> states;
    for (const RecipeSession::Place& place : recipe.places())
        if (place.status == RecipeSession::Status::Applied && place.state && place.before)
            states.push_back({place.before, place.state});
    return states;
}

} // namespace

Result<RowPairs> pairsByLineage(const NodeProfile& before, const GraphPtr& graphBefore,
                                const NodeProfile& after, const GraphPtr& graphAfter,
                                const std::vector<MadeState>& states, const Job& job)
{
    RowPairs pairs = pairsByName(before, after);
    std::vector<LineageHop> hops;
    for (const MadeState& made : states)
        hops.push_back(
            {made.before.get(), made.state->edit.graph.get(), &made.state->edit.lineage});
    const auto begin = placeOf(hops, graphBefore.get());
    const auto end = placeOf(hops, graphAfter.get());
    if (!begin || !end || *begin == *end)
        return pairs;
    // Goes from the later state back to the earlier one, and from there to other nodes of the later
    // one: a node may have been merged with others, or split into several.
    const bool isForward = *begin < *end;
    const std::size_t from = std::min(*begin, *end);
    const std::size_t to = std::max(*begin, *end);
    const auto early =
        rowsByNode(isForward ? before : after, isForward ? *graphBefore : *graphAfter);
    const auto late =
        rowsByNode(isForward ? after : before, isForward ? *graphAfter : *graphBefore);
    const std::span<const LineageHop> way(hops);
    pairs.clear();
    const auto add = [&](std::uint32_t earlyRow, std::uint32_t lateRow) {
        pairs.emplace_back(isForward ? earlyRow : lateRow, isForward ? lateRow : earlyRow);
    };
    for (const auto& [node, row] : late) {
        if (job.cancelled())
            return cancelledError();
        for (const NodeId origin : pastOf(way.subspan(from), to - from, node).originals)
            if (const auto found = early.find(origin); found != early.end())
                add(found->second, row);
    }
    for (const auto& [node, row] : early) {
        if (job.cancelled())
            return cancelledError();
        for (const NodeId successor : futureOf(way.first(to), from, node).last)
            if (const auto found = late.find(successor); found != late.end())
                add(row, found->second);
    }
    return pairs;
}

DeltaSession::DeltaSession(const ProfileSession& profile, const RecipeSession& recipe,
                           QObject* parent)
    : QObject(parent)
    , m_profile(profile)
    , m_recipe(recipe)
{
    connect(&profile, &ProfileSession::changed, this, &DeltaSession::compare);
    connect(&m_job, &LatestJob::runningChanged, this, &DeltaSession::busyChanged);
}

void DeltaSession::keep()
{
    m_kept = m_profile.profile();
    m_keptGraph = m_profile.measuredGraph();
    m_compared.reset();
    m_delta.reset();
    emit changed();
}

void DeltaSession::forget()
{
    m_job.cancel();
    m_kept.reset();
    m_keptGraph.reset();
    m_compared.reset();
    m_delta.reset();
    emit changed();
}

void DeltaSession::compare()
{
    const NodeProfilePtr& now = m_profile.profile();
    if (!m_kept || !now || now == m_kept || now == m_compared)
        return;
    m_compared = now;
    m_graph = m_profile.measuredGraph();
    m_delta.reset();
    m_job.start(
        [kept = m_kept, keptGraph = m_keptGraph, now, graph = m_graph,
         states = madeStates(m_recipe)](const Job& job) -> Result<ProfileDeltaPtr> {
            ASSIGN_OR_RETURN(const auto pairs,
                             pairsByLineage(*kept, keptGraph, *now, graph, states, job));
            return ProfileDelta::make(kept, now, pairs);
        },
        [this](Result<ProfileDeltaPtr> delta) {
            if (delta)
                m_delta = *std::move(delta);
            emit changed();
        });
    emit changed();
}

} // namespace lapidary
