// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/state_cache.h"

#include "graph_model/base/varint.h"
#include "transforms/recipe/recipe_remarks.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::size_t mostRoots = 8;

std::string textOf(const RecipeStep& step)
{
    return printRecipe({step});
}

} // namespace

std::size_t TimelineState::matches() const
{
    return matchesOf(findings);
}

std::size_t TimelineState::nearMisses() const
{
    return findings.size() - matches();
}

std::uint64_t encodedBytes(const Graph& graph)
{
    std::uint64_t bytes = graph.unknownFields().size();
    for (const NodePtr& node : graph.nodes())
        bytes += bytesFieldSize(node->encodedSize());
    return bytes;
}

Result<std::shared_ptr<TimelineState>> makeState(const GraphPtr& before, const RecipeStep& step,
                                                 const RecipeEnds& ends, const Job& job)
{
    auto state = std::make_shared<TimelineState>();
    state->step = step;
    state->pass = findPass(step.pass);
    RecipeRun run = runRecipe(before, {step}, ends.inputs, ends.outputs, job);
    if (job.cancelled() || (!run.ok() && run.faultCode == ErrorCode::Cancelled))
        return cancelledError();
    if (!run.ok()) {
        state->fault = std::move(run.fault);
        return state;
    }
    if (run.states.empty()) { // a step without a pass does nothing
        state->edit.graph = before;
        return state;
    }
    RecipeState& made = run.states.front();
    state->remark = remarkOnStep(before, made, {ends.inputs, ends.outputs, step.parameters}, job);
    state->edit = std::move(made.edit);
    state->ignoredError = std::move(made.ignoredError);
    state->seconds = made.seconds;
    state->bytes = encodedBytes(*state->edit.graph);
    if (state->pass->find != nullptr && state->ignoredError.empty()) {
        auto findings =
            state->pass->find(before, {ends.inputs, ends.outputs, step.parameters}, job);
        if (!findings && findings.error().code == ErrorCode::Cancelled)
            return findings.error();
        if (findings)
            state->findings = *std::move(findings);
    }
    return state;
}

std::uint64_t StateCache::root(const GraphPtr& base, const RecipeEnds& ends)
{
    const auto known = std::ranges::find_if(
        m_roots, [&](const Root& root) { return root.base == base && root.ends == ends; });
    if (known != m_roots.end())
        return known->id;
    if (m_roots.size() == mostRoots)
        m_roots.erase(m_roots.begin());
    m_roots.push_back({base, ends, m_nextId++});
    return m_roots.back().id;
}

TimelineStatePtr StateCache::find(std::uint64_t before, const RecipeStep& step)
{
    const auto found = m_states.find({before, textOf(step)});
    if (found == m_states.end())
        return nullptr;
    found->second.used = ++m_clock;
    return found->second.state;
}

TimelineStatePtr StateCache::add(std::uint64_t before, std::shared_ptr<TimelineState> state)
{
    state->id = m_nextId++;
    Entry& entry = m_states[{before, textOf(state->step)}];
    entry = {std::move(state), ++m_clock};
    return entry.state;
}

std::vector<TimelineStatePtr> StateCache::prune(std::size_t kept)
{
    std::vector<TimelineStatePtr> dropped;
    if (m_states.size() <= kept || kept == 0)
        return dropped;
    std::vector<std::uint64_t> uses;
    for (const auto& [key, entry] : m_states)
        uses.push_back(entry.used);
    const auto oldest = uses.end() - std::ptrdiff_t(kept);
    std::ranges::nth_element(uses, oldest);
    for (auto at = m_states.begin(); at != m_states.end();) {
        if (at->second.used >= *oldest) {
            ++at;
            continue;
        }
        dropped.push_back(std::move(at->second.state));
        at = m_states.erase(at);
    }
    return dropped;
}

} // namespace lapidary
