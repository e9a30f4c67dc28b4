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
    std::uint64_t version = 0; // another number for each other plan
    QString fault = {};        // the reason why nothing can be run; empty: no fault is known
};

// One of the tensors that are shown.
struct NodeOutput {
    std::string tensor;         // "x:0"
    std::optional<Value> value; // none: `failure` gives the reason
    QString failure;
    std::uint64_t times = 0; // how often it was computed, if `value` is only the last result
};

// The values that a document's graph computed from its feeds. The values of visited nodes are kept,
// so that stepping from node to node computes each node once; they are discarded when another graph
// is run, or when the feeds change.
class ValueSession : public QObject {
    Q_OBJECT
public:
    explicit ValueSession(QThreadPool* pool, QObject* parent = nullptr);

    // Sets the feeds from now on. Values from other feeds are discarded.
    void setFed(FedPlan fed);
    // Computes what the target needs and shows it. Wrong feeds are reported as a failure, without a
    // run.
    void runTo(GraphEntry entry, std::string path, const ValueTarget& target);
    // Computes other tensors without showing them, so that they are kept; only once for the same
    // feeds. changed() is emitted when they are ready.
    void computeBeside(GraphEntry entry, std::string path, const ValueTarget& target);
    // Null if the value is not kept.
    const Value* kept(const std::string& tensor) { return m_store.find(tensor); }
    // Shows the target if all of its values are kept; returns whether they are.
    bool showKept(const GraphPtr& graph, const ValueTarget& target);
    void cancel();
    void clear(); // discards every value
    void setLimit(std::uint64_t bytes);
    // Sets how long the process that computes is kept without work, with its graph and values.
    void setIdleTime(std::chrono::milliseconds time) { m_idle.setInterval(time); }

    bool isBusy() const { return m_runs.isRunning() || m_beside.isRunning(); }
    bool isFollowing() const { return m_isFollowing; }     // a run was requested, and not stopped
    const ValueTarget& target() const { return m_target; } // the one that is shown; may be empty
    const GraphPtr& graph() const { return m_graph; }      // the graph of the target
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
    std::set<std::string> m_triedBeside; // tensors that were requested with these feeds
    ValueStore m_store;
    ValueChoices m_choices;
    GraphPtr m_graph;
    FedPlan m_fed; // the feeds of the kept values
    ValueTarget m_target;
    std::vector<NodeOutput> m_outputs;
    QString m_failure;
    bool m_isFollowing = false;
};

} // namespace lapidary
