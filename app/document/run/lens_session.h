// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/verify/verify_graphs.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>

namespace lapidary {

using VerificationPtr = std::shared_ptr<const Verification>;

// How far the tensors of a changed graph are from those that the original computes from the same
// feeds, and where the distance begins.
class LensSession : public QObject {
    Q_OBJECT
public:
    static constexpr double usualThreshold = 20; // dB

    explicit LensSession(QThreadPool* pool, QObject* parent = nullptr);

    // Runs both and compares every tensor that both compute; what was found before is forgotten.
    // `path`: of the model, for its variables and files.
    void compare(GraphEntry before, GraphEntry after, std::string path, VerifyPlan plan);
    void refuse(const QString& why); // there is nothing to compare
    void cancel();
    void clear();

    bool isBusy() const { return m_job.isRunning(); }
    const VerificationPtr& found() const { return m_found; } // null: nothing was compared
    const GraphPtr& graph() const { return m_graph; }        // the changed one
    const QString& failure() const { return m_failure; }
    // Pairs with less signal for their noise are steps of next().
    double threshold() const { return m_threshold; }
    void setThreshold(double decibels);
    // The pair after the one that was given last, in the order of execution, that is below the
    // threshold and not undone by what follows; begins anew behind the last. Nothing: there is
    // none.
    std::optional<std::size_t> next();

signals:
    void changed();
    void busyChanged();
    void progressed(int permille);

private:
    VerificationPtr m_found;
    GraphPtr m_graph;
    QString m_failure;
    double m_threshold = usualThreshold;
    std::optional<std::size_t> m_last; // what next() gave
    LatestJob m_job;
};

} // namespace lapidary
