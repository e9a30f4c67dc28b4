// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/profile/profile_session.h"
#include "app/document/recipe/recipe_session.h"
#include "runner/profile/profile_delta.h"

#include <QObject>

namespace lapidary {

// Compares a profile that was kept with the newest one: of two states of the recipe, two machines
// or two settings. Nodes correspond by their lineage, else by their names.
class DeltaSession : public QObject {
    Q_OBJECT
public:
    DeltaSession(const ProfileSession& profile, const RecipeSession& recipe,
                 QObject* parent = nullptr);

    void keep();   // keeps the current profile, to compare others with it
    void forget(); // discards the kept profile
    const GraphPtr& keptGraph() const { return m_keptGraph; } // the graph of the kept profile
    bool hasKept() const { return m_kept != nullptr; }
    bool isBusy() const { return m_job.isRunning(); }
    // Null until another profile was measured and compared.
    const ProfileDeltaPtr& delta() const { return m_delta; }
    const GraphPtr& graph() const { return m_graph; } // the graph of the later profile

signals:
    void changed();
    void busyChanged();

private:
    void compare();

    const ProfileSession& m_profile;
    const RecipeSession& m_recipe;
    NodeProfilePtr m_kept;
    GraphPtr m_keptGraph;
    NodeProfilePtr m_compared; // the later profile of the comparison
    GraphPtr m_graph;
    ProfileDeltaPtr m_delta;
    LatestJob m_job;
};

// A state of a recipe with the graph that its step was applied to.
struct MadeState {
    GraphPtr before;
    TimelineStatePtr state;
};
// Returns the pairs of rows of two profiles whose nodes correspond. `states` are those that the
// recipe led to, in order.
Result<std::vector<ProfileDelta::RowPair>>
pairsByLineage(const NodeProfile& before, const GraphPtr& graphBefore, const NodeProfile& after,
               const GraphPtr& graphAfter, const std::vector<MadeState>& states, const Job& job);

} // namespace lapidary
