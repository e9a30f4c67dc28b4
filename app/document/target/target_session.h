// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface_flags.h"
#include "transforms/support/remedies.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The ops of a graph that one build of TensorFlow, or one converter, lacks. Immutable.
struct TargetReport {
    const Target* target = nullptr;
    GraphPtr graph; // the findings are nodes of this graph
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    SupportReport support;
    std::optional<RemedyPlan> plan; // the steps that help; none: still being tried, or not needed

    bool runs() const { return support.blocking(*target) == 0; }
};
using TargetReportPtr = std::shared_ptr<const TargetReport>;

// Tells whether the shown graph can run on the chosen target, and what helps if not. Follows the
// graph, its interface and the target.
class TargetSession : public QObject {
    Q_OBJECT
public:
    explicit TargetSession(QObject* parent = nullptr);

    const Target* target() const { return m_target; } // null: none is chosen
    void setTarget(const Target* target);
    // Sets the shown graph and its chosen inputs and outputs. Null for the body of a function,
    // which no program loads by itself.
    void setGraph(GraphPtr graph, const InterfaceChoice& choice);

    // Returns the report on the target and the graph; null while it is not known.
    const TargetReportPtr& report() const { return m_report; }
    const QString& failure() const { return m_failure; }
    QString jobTitle() const; // empty if nothing is running
    void cancel();

signals:
    void changed(); // the target, its report, or the steps that help
    void busyChanged();

private:
    void check();
    void tryRemedies();

    const Target* m_target = nullptr;
    GraphPtr m_graph;
    std::vector<std::string> m_inputs;
    std::vector<std::string> m_outputs;
    TargetReportPtr m_report;
    QString m_failure;
    LatestJob m_job;
};

} // namespace lapidary
