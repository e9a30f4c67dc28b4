// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/profile/profile_session.h"
#include "app/document/recipe/recipe_session.h"
#include "runner/profile/profile_delta.h"

#include <QObject>

namespace lapidary {

// Compares a profile that was kept with the one that was measured last: of two states of the
// recipe, two machines or two settings. Nodes correspond by their lineage, else by their names.
class DeltaSession : public QObject {
    Q_OBJECT
public:
    DeltaSession(const ProfileSession& profile, const RecipeSession& recipe,
                 QObject* parent = nullptr);

    void keep();   // what was measured now, as what others are compared with
    void forget(); // it
    const GraphPtr& keptGraph() const { return m_keptGraph; } // that the kept one is of
    bool hasKept() const { return m_kept != nullptr; }
    bool isBusy() const { return m_job.isRunning(); }
    // Null until another profile was measured, and the two were compared.
    const ProfileDeltaPtr& delta() const { return m_delta; }
    const GraphPtr& graph() const { return m_graph; } // that the later profile is of

signals:
    void changed();
    void busyChanged();

private:
    void compare();

    const ProfileSession& m_profile;
    const RecipeSession& m_recipe;
    NodeProfilePtr m_kept;
    GraphPtr m_keptGraph;
    NodeProfilePtr m_compared; // with the one that was kept
    GraphPtr m_graph;
    ProfileDeltaPtr m_delta;
    LatestJob m_job;
};

// A state of a recipe with the graph that its step was applied to.
struct MadeState {
    GraphPtr before;
    TimelineStatePtr state;
};
// Pairs the rows of two profiles whose nodes correspond. `states` are those that the recipe led to,
// in order.
Result<std::vector<ProfileDelta::RowPair>>
pairsByLineage(const NodeProfile& before, const GraphPtr& graphBefore, const NodeProfile& after,
               const GraphPtr& graphAfter, const std::vector<MadeState>& states, const Job& job);

} // namespace lapidary
