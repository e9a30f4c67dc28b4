// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/run/value_runs.h"
#include "app/document/run/value_store.h"

#include <QObject>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Describes what is fed, as it is now.
struct FedPlan {
    RunPlan plan;
    std::uint64_t version = 0; // another one for each other plan
    QString fault = {};        // why nothing can be run; empty: nothing is known to be wrong
};

// One output of the node whose values are shown.
struct NodeOutput {
    std::string tensor;         // "x:0"
    std::optional<Value> value; // nothing: `failure` says why
    QString failure;
};

// The values that one document's graph computed from what is fed. Those of nodes that were looked
// at are kept, so that a walk from node to node computes each step once; they are forgotten as soon
// as another graph is run, or other feeds.
class ValueSession : public QObject {
    Q_OBJECT
public:
    explicit ValueSession(QThreadPool* pool, QObject* parent = nullptr);

    // Computes what the node needs and shows its outputs. Wrong feeds are a failure without a run.
    void runTo(GraphEntry entry, std::string path, NodeId node, const FedPlan& fed);
    // Values that come from other feeds are forgotten.
    void useFeeds(std::uint64_t version);
    // Shows the outputs of a node if all are kept; says whether they are.
    bool showKept(const GraphPtr& graph, NodeId node);
    void cancel();
    void clear(); // forgets every value
    void setLimit(std::uint64_t bytes);

    bool isBusy() const { return m_runs.isRunning(); }
    bool isFollowing() const { return m_isFollowing; } // a run was asked for, and not stopped
    NodeId node() const { return m_node; }             // whose outputs are shown; may be invalid
    const GraphPtr& graph() const { return m_graph; }  // that it is of
    const std::vector<NodeOutput>& outputs() const { return m_outputs; }
    const QString& failure() const { return m_failure; } // of the last run; empty: none
    const ValueStore& store() const { return m_store; }

signals:
    void changed();
    void busyChanged();

private:
    void take(const GraphPtr& graph, std::uint64_t version, NodeId node,
              Result<std::vector<ComputedOutput>> computed);
    void fail(QString why);

    ValueRuns m_runs;
    ValueStore m_store;
    GraphPtr m_graph;
    std::uint64_t m_feedVersion = 0; // of the values that are kept
    NodeId m_node;
    std::vector<NodeOutput> m_outputs;
    QString m_failure;
    bool m_isFollowing = false;
};

} // namespace lapidary
