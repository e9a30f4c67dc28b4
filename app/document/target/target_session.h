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

// The ops of a graph that one build of TensorFlow, or one converter, lacks; never changes.
struct TargetReport {
    const Target* target = nullptr;
    GraphPtr graph; // whose nodes the findings are
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    SupportReport support;
    std::optional<RemedyPlan> plan; // what helps; nothing: still being tried, or not needed

    bool runs() const { return support.blocking(*target) == 0; }
};
using TargetReportPtr = std::shared_ptr<const TargetReport>;

// Tells whether the graph that is shown can run somewhere else, and what helps if not. Follows the
// graph, its interface and the chosen target.
class TargetSession : public QObject {
    Q_OBJECT
public:
    explicit TargetSession(QObject* parent = nullptr);

    const Target* target() const { return m_target; } // null: none is chosen
    void setTarget(const Target* target);
    // The graph that is shown and what is fed and fetched of it. Null: a function's body, which no
    // program loads by itself.
    void setGraph(GraphPtr graph, const InterfaceChoice& choice);

    // Returns the report on the target and the graph; null while it is not known.
    const TargetReportPtr& report() const { return m_report; }
    const QString& failure() const { return m_failure; }
    QString jobTitle() const; // empty while nothing runs
    void cancel();

signals:
    void changed(); // the target, its report, or what helps
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
