// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/run/value_choices.h"
#include "app/document/run/value_runs.h"
#include "app/document/run/value_store.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lapidary {

// The current feeds.
struct FedPlan {
    RunPlan plan;
    std::uint64_t version = 0; // another one for each other plan
    QString fault = {};        // why nothing can be run; empty: nothing is known to be wrong
};

// One of the tensors that are shown.
struct NodeOutput {
    std::string tensor;         // "x:0"
    std::optional<Value> value; // nothing: `failure` says why
    QString failure;
    std::uint64_t times = 0; // how often it was computed, where this is only the last value
};

// The values that one document's graph computed from its feeds. Those of visited nodes are kept, so
// that a walk from node to node computes each step once; they are discarded when another graph is
// run, or with other feeds.
class ValueSession : public QObject {
    Q_OBJECT
public:
    explicit ValueSession(QThreadPool* pool, QObject* parent = nullptr);

    // Sets the feeds from now on. Values from other feeds are discarded.
    void setFed(FedPlan fed);
    // Computes what the target needs and shows it. Wrong feeds are a failure without a run.
    void runTo(GraphEntry entry, std::string path, const ValueTarget& target);
    // Computes other tensors without showing them, so that they are kept; once for the same feeds.
    // changed() tells when they are.
    void computeBeside(GraphEntry entry, std::string path, const ValueTarget& target);
    const Value* kept(const std::string& tensor) { return m_store.find(tensor); } // null: it is not
    // Shows the target if all of it is kept; says whether it is.
    bool showKept(const GraphPtr& graph, const ValueTarget& target);
    void cancel();
    void clear(); // forgets every value
    void setLimit(std::uint64_t bytes);
    // How long the process that computes stays without work, with the graph and values that it has.
    void setIdleTime(std::chrono::milliseconds time) { m_idle.setInterval(time); }

    bool isBusy() const { return m_runs.isRunning() || m_beside.isRunning(); }
    bool isFollowing() const { return m_isFollowing; }     // a run was asked for, and not stopped
    const ValueTarget& target() const { return m_target; } // that is shown; may be empty
    const GraphPtr& graph() const { return m_graph; }      // that it is of
    const std::vector<NodeOutput>& outputs() const { return m_outputs; }
    const QString& failure() const { return m_failure; } // of the last run; empty: none
    const ValueStore& store() const { return m_store; }
    const ValueChoices& choices() const { return m_choices; }
    void choose(const std::string& tensor, const ValueChoice& choice); // how it is shown
    void setLabels(std::string path);                                  // file of the classes' names
    void restoreChoices(const nlohmann::json& state);

signals:
    void changed();
    void choicesChanged();
    void busyChanged();

private:
    void take(const GraphPtr& graph, std::uint64_t version, const ValueTarget& target,
              Result<std::vector<ComputedOutput>> computed);
    void fail(QString why);

    void runBeside();
    void forgetBeside();
    void noteBusy();

    std::shared_ptr<StepProcess> m_process;
    QTimer m_idle; // ends the idle process
    ValueRuns m_runs;
    ValueRuns m_beside;
    std::deque<ValueRun> m_waitingBeside;
    std::set<std::string> m_triedBeside; // tensors, for these feeds
    ValueStore m_store;
    ValueChoices m_choices;
    GraphPtr m_graph;
    FedPlan m_fed; // that the values that are kept come from
    ValueTarget m_target;
    std::vector<NodeOutput> m_outputs;
    QString m_failure;
    bool m_isFollowing = false;
};

} // namespace lapidary
