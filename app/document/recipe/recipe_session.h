// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/recipe/recipe_history.h"
#include "app/document/recipe/state_cache.h"
#include "app/document/recipe/verdict.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The recipe of one graph and the states its steps lead to. Steps run one after the other on a
// worker; what is known already is never run again, so that changing a step runs only what follows
// it. The next step that is not applied yet is run beforehand: that is its preview. States are
// compared with the original when nothing else is to be done.
class RecipeSession : public QObject {
    Q_OBJECT
public:
    enum class Status {
        Off,
        Pending, // not applied
        Waiting, // is run, or waits for its turn
        Applied,
        Failed,
        Blocked, // a step before it failed
    };
    struct Place { // of one item
        Status status = Status::Pending;
        TimelineStatePtr state; // also of a step that failed, and of one that is previewed
        GraphPtr before;        // what `state` was made of
    };
    using Verify = std::function<Result<Verification>(
        const GraphPtr& original, const GraphPtr& state, const RecipeEnds& ends, const Job& job)>;

    // `pool` has one thread and serves everything that runs graphs.
    explicit RecipeSession(QThreadPool* pool, QObject* parent = nullptr);
    ~RecipeSession() override;

    // The recipe stays, and is run again where it was applied, as soon as the ends are known.
    void setBase(GraphPtr base, Verify verify);
    void setEnds(RecipeEnds ends);
    // Other values are fed from now on: what was found before is forgotten.
    void setVerify(Verify verify);
    const GraphPtr& base() const { return m_base; }
    const RecipeEnds& ends() const { return m_ends; }
    std::uint64_t baseBytes() const { return m_baseBytes; }

    const RecipeDraft& draft() const { return m_history.draft(); }
    const std::vector<RecipeItem>& items() const { return draft().items; }
    const std::vector<Place>& places() const { return m_places; } // one for each item
    std::size_t applied() const { return draft().applied; }

    // Each is one step of undo. Places out of range are ignored.
    void insert(std::size_t at, RecipeItem item);
    // The same, applied with everything before it, and shown.
    void insertApplied(std::size_t at, RecipeItem item);
    void remove(std::size_t at);
    void duplicate(std::size_t at);
    void move(std::size_t from, std::size_t to); // to the place it has afterwards
    void setOn(std::size_t at, bool isOn);
    void setStep(std::size_t at, RecipeStep step, const std::string& merge = "");
    // Steps that are the same as before keep being on or off, and applied.
    void setRecipe(const Recipe& recipe, const std::string& merge = "");
    void setDraft(RecipeDraft draft);
    // In the place of everything there is, undo included.
    void restore(RecipeHistory history, std::size_t shown);
    void apply(std::size_t items); // the first `items` of them and no more
    void applyNext();              // up to the next one that is on
    void applyAll() { apply(items().size()); }

    bool canUndo() const { return m_history.canUndo(); }
    bool canRedo() const { return m_history.canRedo(); }
    void undo();
    void redo();
    const RecipeHistory& history() const { return m_history; }
    void startBranch(); // from the state that is shown
    void chooseBranch(std::size_t branch);
    void removeBranch();

    // The state after the first `shown()` items is what the canvas is to show; 0 is the original.
    std::size_t shown() const { return m_shown; }
    void show(std::size_t items);
    // Follows shown() as soon as all of its steps were run or one of them failed.
    const GraphPtr& shownGraph() const { return m_shownGraph; }
    // What `item` would be run on; null where a step before it failed or is not done.
    GraphPtr graphBefore(std::size_t item) const;
    // Tensors of the original under the names they have after the first `items`.
    std::vector<std::string> namesAfter(std::size_t items, std::vector<std::string> names) const;
    // The first item that is on and not applied, if all before it is done.
    std::optional<std::size_t> nextItem() const { return m_nextItem; }

    bool isVerifying() const { return m_verifies; }
    void setVerifying(bool isOn);
    Verdict verdict(const TimelineState& state) const;

    bool isRunning() const { return m_stepJob.isRunning() || m_delay.isActive(); }
    bool isComparing() const { return m_verdictJob.isRunning(); }
    void stop(); // until the next change

signals:
    void changed(); // the recipe, its states, or what is known of them
    void verdictsChanged();
    void shownGraphChanged();
    void busyChanged();
    void progressed(int permille);

private:
    struct Task {
        std::size_t item = 0;
        std::uint64_t before = 0;
        GraphPtr graph;
    };
    void change(RecipeDraft draft, const std::string& merge = "");
    void afterChange(std::size_t wasApplied, int delayMs);
    void renewPlaces();
    void startTask();
    void finishTask(const Task& task, Result<std::shared_ptr<TimelineState>> made);
    void settle();
    void judgeNext();
    void judged(std::uint64_t state, Result<Verification> found);

    GraphPtr m_base;
    std::uint64_t m_baseBytes = 0;
    RecipeEnds m_ends;
    bool m_areEndsKnown = false;
    Verify m_verify;
    RecipeHistory m_history;
    StateCache m_cache;
    std::vector<Place> m_places;
    std::optional<std::size_t> m_nextItem;
    std::optional<Task> m_task;
    std::size_t m_shown = 0;
    GraphPtr m_shownGraph;
    std::map<std::uint64_t, Verdict> m_verdicts; // by state
    std::uint64_t m_judging = 0;
    bool m_verifies = true;
    bool m_isStopped = false;
    QTimer m_delay;
    LatestJob m_stepJob;
    LatestJob m_verdictJob;
    LatestJob m_sizeJob;
};

} // namespace lapidary
