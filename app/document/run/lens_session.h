// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/recipe.h"
#include "transforms/verify/verify_graphs.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>

namespace lapidary {

using VerificationPtr = std::shared_ptr<const Verification>;

// A range that is tried on the changed graph, with the resulting errors.
struct RangeTrial {
    std::string node; // of the changed graph
    float min = 0;
    float max = 0;
    VerificationPtr found; // null: not known yet, or `failure` says why
    QString failure;
};
// The step of a recipe that gives the node this range.
RecipeStep rangeStep(const RangeTrial& trial);

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
    // Runs both again, with another range of a node of the changed graph. The newest trial counts;
    // what compare() found stays.
    void tryRange(const std::string& node, float min, float max);
    void dropTrial();
    const std::optional<RangeTrial>& trial() const { return m_trial; }
    void cancel();
    void clear();

    bool isBusy() const { return m_job.isRunning() || m_trialJob.isRunning(); }
    const VerificationPtr& found() const { return m_found; } // null: nothing was compared
    const GraphPtr& graph() const { return m_graph; }        // the changed one
    const QString& failure() const { return m_failure; }
    // Pairs with less signal for their noise are steps of next().
    double threshold() const { return m_threshold; }
    void setThreshold(double decibels);
    // Returns the pair after the last returned one, in the order of execution, that is below the
    // threshold and not undone by what follows; begins again after the last. Nothing if there is
    // none.
    std::optional<std::size_t> next();

signals:
    void changed();
    void trialChanged();
    void busyChanged();
    void progressed(int permille);

private:
    struct Task {
        GraphEntry before;
        GraphPtr after;
        std::string path;
        VerifyPlan plan;
    };

    std::shared_ptr<const Task> m_task; // of the last comparison
    VerificationPtr m_found;
    GraphPtr m_graph;
    QString m_failure;
    double m_threshold = usualThreshold;
    std::optional<std::size_t> m_last; // what next() gave
    std::optional<RangeTrial> m_trial;
    LatestJob m_job;
    LatestJob m_trialJob;
};

} // namespace lapidary
