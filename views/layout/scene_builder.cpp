// SPDX-License-Identifier: Apache-2.0
// Plans are made from the root down (a scope's ports have the order in which its edges arrive
// outside), layouts from the innermost scopes up (a box must know its size), and one walk puts them
// together. Plans do not depend on which groups are open and are made once; a layout is made again
// when a scope inside it was.
#include "views/layout/edge_faces.h"
#include "views/layout/layered/plan.h"
#include "views/layout/scene.h"
#include "views/layout/scene_emitter.h"
#include "views/layout/scene_text.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lapidary {
namespace {

constexpr double unitsPerMillisecond = 140'000; // see layered::Work
constexpr std::int64_t unitsPerPart = 6'000;    // for each item or edge of a scope
constexpr std::int64_t leastUnits = 30'000;
constexpr double allTogether = 50 * unitsPerMillisecond; // allowance if many scopes open at once

} // namespace

struct SceneBuilder::State {
    struct Entry {
        ScopePlanPtr plan;
        EdgeFaces edges;
        ScopeLayoutPtr layout;
    };

    State(PreparationPtr p, MeasureText m, DescribeEdge d)
        : preparation(std::move(p))
        , measure(std::move(m))
        , describe(std::move(d))
        , faces(*preparation, measure, describe)
    {
    }

    // Finds the open groups that are visible, parents first, children in their scope's order.
    Status findOpen(const std::set<GroupId>& open, const SceneOptions& options, const Job& job);
    Status planNew(const std::vector<GroupId>& fresh, std::vector<PreparedScope>& scopes,
                   const SceneOptions& options, const Job& job);
    Status layOut(GroupId group, const SceneOptions& options, const Job& job);

    PreparationPtr preparation;
    MeasureText measure;
    DescribeEdge describe;
    FaceMaker faces;
    std::unordered_map<GroupId, Entry> entries;
    std::vector<GroupId> visible;
    std::unordered_map<GroupId, std::size_t> isVisible;
    std::uint64_t nextSerial = 1;
};

Status SceneBuilder::State::findOpen(const std::set<GroupId>& open, const SceneOptions& options,
                                     const Job& job)
{
    visible = {rootGroup};
    isVisible = {{rootGroup, 0}};
    std::vector<GroupId> fresh;
    std::vector<PreparedScope> scopes;
    for (std::size_t i = 0; i < visible.size(); ++i) {
        if (job.cancelled())
            return cancelledError();
        const GroupId group = visible[i];
        const auto known = entries.find(group);
        const bool isNew = known == entries.end() || known->second.plan == nullptr;
        if (isNew) {
            fresh.push_back(group);
            scopes.push_back(preparation->scope(group));
        }
        const PreparedScope& scope = isNew ? scopes.back() : known->second.plan->scope;
        for (const PreparedItem& item : scope.items)
            if (!item.item.isNode() && open.contains(item.item.group()) &&
                isVisible.emplace(item.item.group(), visible.size()).second)
                visible.push_back(item.item.group());
    }
    return planNew(fresh, scopes, options, job);
}

Status SceneBuilder::State::planNew(const std::vector<GroupId>& fresh,
                                    std::vector<PreparedScope>& scopes, const SceneOptions& options,
                                    const Job& job)
{
    const auto most = std::int64_t(options.budgetMilliseconds * unitsPerMillisecond);
    std::vector<std::int64_t> wanted;
    double all = 0;
    for (const PreparedScope& scope : scopes) {
        wanted.push_back(std::min(most, leastUnits + unitsPerPart * scopeSize(scope)));
        all += double(wanted.back());
    }
    const double share = std::min(1.0, std::max(allTogether, double(most)) / std::max(all, 1.0));
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        const GroupId parent = preparation->tree().group(fresh[i]).parent;
        const ScopePlan* outer = fresh[i] == rootGroup ? nullptr : entries.at(parent).plan.get();
        const auto units = std::int64_t(double(wanted[i]) * share);
        const ScopePlanInput input{*preparation, faces, options, units, outer};
        ASSIGN_OR_RETURN(auto plan, planScope(std::move(scopes[i]), input, job));
        Entry& entry = entries[fresh[i]];
        entry.plan = std::move(plan);
        entry.edges = describeEdges(preparation->graph(), entry.plan->scope, describe, measure);
        job.progress(0.8 * double(i + 1) / double(fresh.size()));
    }
    return Done{};
}

Status SceneBuilder::State::layOut(GroupId group, const SceneOptions& options, const Job& job)
{
    Entry& entry = entries.at(group);
    const bool isRoot = group == rootGroup;
    const double aspect = isRoot ? options.aspect : 1.2;
    ScopeLayoutInput input{
        *entry.plan, entry.edges, {}, {}, options.direction, aspect, isRoot, 0, options.edgeLabels};
    std::vector<std::uint64_t> key{std::uint64_t(options.direction),
                                   std::uint64_t(std::lround(aspect * 100)),
                                   std::uint64_t{options.edgeLabels}};
    for (const PreparedItem& item : entry.plan->scope.items) {
        const bool isOpen = !item.item.isNode() && isVisible.contains(item.item.group());
        const Entry* child = isOpen ? &entries.at(item.item.group()) : nullptr;
        input.children.push_back(isOpen ? child->layout : nullptr);
        input.childPlans.push_back(isOpen ? child->plan.get() : nullptr);
        if (isOpen) {
            key.push_back(input.children.size());
            key.push_back(child->layout->serial);
        }
    }
    if (entry.layout && entry.layout->key == key)
        return Done{};
    if (!isRoot)
        input.headerWidth = faces.face(ItemId::of(group)).headerWidth;
    ASSIGN_OR_RETURN(auto layout, layOutScope(input, job));
    const std::shared_ptr<ScopeLayout> made = std::move(layout);
    made->children = std::move(input.children);
    made->key = std::move(key);
    made->serial = nextSerial++;
    entry.layout = made;
    return Done{};
}

SceneBuilder::SceneBuilder(PreparationPtr preparation, MeasureText measure, DescribeEdge describe)
    : m_state(
          std::make_unique<State>(std::move(preparation), std::move(measure), std::move(describe)))
{
}

SceneBuilder::~SceneBuilder() = default;

Result<ScenePtr> SceneBuilder::build(const std::set<GroupId>& open, const SceneOptions& options,
                                     const Job& job)
{
    const auto start = std::chrono::steady_clock::now();
    State& state = *m_state;
    RETURN_IF_ERROR(state.findOpen(open, options, job));
    for (auto group = state.visible.rbegin(); group != state.visible.rend(); ++group) {
        if (job.cancelled())
            return cancelledError();
        RETURN_IF_ERROR(state.layOut(*group, options, job));
    }
    const auto scopeOf = [&](GroupId group) {
        const State::Entry& entry = state.entries.at(group);
        return PlacedScope{entry.plan.get(), &entry.edges, entry.layout.get()};
    };
    const auto elide = [&](const Group& group, float width) {
        return elideMiddle(group.name, width, TextRole::Heading, state.measure);
    };
    std::shared_ptr<Scene> scene = emitScene(scopeOf, elide, state.preparation->tree(), options);
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    scene->layoutMilliseconds = spent.count();
    return ScenePtr(std::move(scene));
}

} // namespace lapidary
