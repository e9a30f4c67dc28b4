// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/recipe/recipe_history.h"
#include "app/document/recipe/state_cache.h"
#include "app/document/recipe/state_verdicts.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The recipe of one graph and the states that its steps lead to. Steps run one after the other on a
// worker; known results are reused, so that changing a step runs only what follows it. The next
// step that is not applied yet is run in advance, as a preview. States are compared with the
// original when there is nothing else to run.
class RecipeSession : public QObject {
    Q_OBJECT
public:
    enum class Status {
        Off,
        Pending, // not applied
        Waiting, // is running, or waiting for its turn
        Applied,
        Failed,
        Blocked, // a step before it failed
    };
    struct Place { // the state of one item
        Status status = Status::Pending;
        TimelineStatePtr state; // also set for a step that failed, and for a preview
        GraphPtr before;        // the graph that `state` was made from
    };
    // `pool` has one thread and serves everything that runs graphs.
    explicit RecipeSession(QThreadPool* pool, QObject* parent = nullptr);
    ~RecipeSession() override;

    // Sets the base. The recipe is kept, and run again if it was applied, as soon as the inputs and
    // outputs are known.
    void setBase(GraphPtr base, StateVerdicts::Verify verify);
    void setEnds(RecipeEnds ends);
    bool isWaitingForEnds() const { return !m_areEndsKnown && !items().empty(); }
    const GraphPtr& base() const { return m_base; }
    const RecipeEnds& ends() const { return m_ends; }
    std::uint64_t baseBytes() const { return m_baseBytes; }

    const RecipeDraft& draft() const { return m_history.draft(); }
    const std::vector<RecipeItem>& items() const { return draft().items; }
    const std::vector<Place>& places() const { return m_places; } // one for each item
    std::size_t applied() const { return draft().applied; }

    // Makes one change that can be undone, with the functions of recipe_edits.h. Consecutive
    // changes with the same `merge` text, such as typing in one field, are undone together.
    void change(RecipeDraft draft, const std::string& merge = "");
    void apply(std::size_t items); // exactly the first `items` of them
    void undo();
    void redo();
    const RecipeHistory& history() const { return m_history; }
    // Replaces the recipe, its branches and what can be undone.
    void restore(RecipeHistory history, std::size_t shown);

    // The number of items whose state the canvas shows; 0 is the original.
    std::size_t shown() const { return m_shown; }
    void show(std::size_t items);
    // The graph of shown(), as soon as all of its steps were run or one of them failed.
    const GraphPtr& shownGraph() const { return m_shownGraph; }
    StateVerdicts& verdicts() const { return *m_verdicts; }

    bool isRunning() const { return m_stepJob.isRunning() || m_delay.isActive(); }
    void stop(); // until the next change

signals:
    void changed(); // the recipe, its states, or what is known of them
    void shownGraphChanged();
    void busyChanged();
    void progressed(int permille);

private:
    struct Task {
        std::size_t item = 0;
        std::uint64_t before = 0;
        GraphPtr graph;
    };
    void afterChange(std::size_t wasApplied, int delayMs);
    void renewPlaces();
    void startTask();
    void finishTask(const Task& task, Result<std::shared_ptr<TimelineState>> made);
    void settle();
    void judge();

    GraphPtr m_base;
    std::uint64_t m_baseBytes = 0;
    RecipeEnds m_ends;
    bool m_areEndsKnown = false;
    RecipeHistory m_history;
    StateCache m_cache;
    std::vector<Place> m_places;
    std::optional<Task> m_task;
    std::size_t m_shown = 0;
    GraphPtr m_shownGraph;
    bool m_isStopped = false;
    QTimer m_delay;
    LatestJob m_stepJob;
    LatestJob m_sizeJob;
    std::unique_ptr<StateVerdicts> m_verdicts;
};

// Returns the graph that `item` would be run on; null if a step before it failed or is not done.
GraphPtr graphBefore(const RecipeSession& session, std::size_t item);
// Returns the first item that is on and not applied, if all before it are done.
std::optional<std::size_t> nextItem(const RecipeSession& session);
// Returns the names of the original's tensors `names` after the first `items`.
std::vector<std::string> namesAfter(const RecipeSession& session, std::size_t items,
                                    std::vector<std::string> names);

// Change the branch of the history; a new one continues from the state that is shown.
void startBranch(RecipeSession& session);
void chooseBranch(RecipeSession& session, std::size_t branch);
void removeBranch(RecipeSession& session);

} // namespace lapidary
