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
    std::string node; // in the changed graph
    float min = 0;
    float max = 0;
    VerificationPtr found; // null: not known yet, or `failure` gives the reason
    QString failure;
};
// Returns the step of a recipe that gives the node this range.
RecipeStep rangeStep(const RangeTrial& trial);

// The differences between the tensors of a changed graph and those that the original computes from
// the same feeds, and the tensors where they begin.
class LensSession : public QObject {
    Q_OBJECT
public:
    static constexpr double usualThreshold = 20; // dB

    explicit LensSession(QThreadPool* pool, QObject* parent = nullptr);

    // Runs both graphs and compares every tensor that both compute; forgets the previous result.
    // `path`: of the model, for its variables and files.
    void compare(GraphEntry before, GraphEntry after, std::string path, VerifyPlan plan);
    void refuse(const QString& why); // shows the reason why nothing can be compared
    // Runs both again, with another range of a node of the changed graph. Only the newest trial is
    // kept; the result of compare() is not changed.
    void tryRange(const std::string& node, float min, float max);
    void dropTrial();
    const std::optional<RangeTrial>& trial() const { return m_trial; }
    void cancel();
    void clear();

    bool isBusy() const { return m_job.isRunning() || m_trialJob.isRunning(); }
    const VerificationPtr& found() const { return m_found; } // null: no comparison yet
    const GraphPtr& graph() const { return m_graph; }        // the changed one
    const QString& failure() const { return m_failure; }
    // In dB: next() stops at pairs with a lower signal-to-noise ratio.
    double threshold() const { return m_threshold; }
    void setThreshold(double decibels);
    // Returns the next pair, in the order of execution, that is below the threshold and whose
    // difference is not undone by later nodes. After the last pair it begins again. None if there
    // is no such pair.
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

    std::shared_ptr<const Task> m_task; // the last comparison
    VerificationPtr m_found;
    GraphPtr m_graph;
    QString m_failure;
    double m_threshold = usualThreshold;
    std::optional<std::size_t> m_last; // the pair that next() returned last
    std::optional<RangeTrial> m_trial;
    LatestJob m_job;
    LatestJob m_trialJob;
};

} // namespace lapidary
