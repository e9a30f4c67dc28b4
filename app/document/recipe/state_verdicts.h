// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/recipe/state_cache.h"
#include "app/document/recipe/verdict.h"
#include "views/models/latest_job.h"

#include <QObject>

#include <functional>
#include <map>
#include <vector>

namespace lapidary {

// Compares states of a recipe with the original, one after the other, on a worker.
class StateVerdicts : public QObject {
    Q_OBJECT
public:
    using Verify = std::function<Result<Verification>(
        const GraphPtr& original, const GraphPtr& state, const RecipeEnds& ends, const Job& job)>;
    struct Task { // the states in order; none of them failed
        GraphPtr base;
        RecipeEnds ends;
        std::vector<TimelineStatePtr> states;
    };

    // `pool` has one thread and serves everything that runs graphs.
    explicit StateVerdicts(QThreadPool* pool, QObject* parent = nullptr);

    // Sets the function that compares; all verdicts found with another one are forgotten.
    void setVerify(Verify verify);
    bool isOn() const { return m_isOn; }
    void setOn(bool isOn);
    Verdict of(const TimelineState& state) const;

    // Finds the unknown verdicts of these states, instead of those of the previous ones.
    void judge(Task task);
    void pause(); // until judge(): the thread is needed for something else
    bool isRunning() const { return m_job.isRunning(); }

signals:
    void changed();
    void cancelled(); // by the memory limit, for example: nothing more should be run
    void busyChanged();
    void progressed(int permille);

private:
    void judgeNext();
    void judged(std::uint64_t state, const Graph& graph, Result<Verification> found);

    Verify m_verify;
    Task m_task;
    bool m_isOn = true;
    bool m_isPaused = true;
    std::map<std::uint64_t, Verdict> m_verdicts; // by state
    std::uint64_t m_judging = 0;
    LatestJob m_job;
};

} // namespace lapidary
