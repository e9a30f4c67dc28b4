// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/classify/observe_ranges.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

// The pictures that a classifier is judged by, and the scaling of their pixels.
struct FolderChoice {
    PictureFolder folder;
    float mean = 0; // a pixel x becomes (x - mean) / std
    float std = 255;

    bool isReady() const { return !folder.images.empty(); }
};

// Runs a document's graph on a folder of pictures, to count its right answers, find the pictures
// that it takes for something else, and measure the ranges of its tensors.
class PictureSession : public QObject {
    Q_OBJECT
public:
    explicit PictureSession(QThreadPool* pool, QObject* parent = nullptr);

    const FolderChoice& choice() const { return m_choice; }
    void setChoice(FolderChoice choice); // the results are kept until the next run

    // `path`: of the model, for its variables and files.
    void evaluate(GraphEntry entry, std::string path, EvaluateTask task);
    // Writes the ranges that an 8-bit graph measures on the pictures of the choice to `log`.
    void observe(GraphEntry entry, std::string path, ClassifyPlan plan, std::string log);
    void refuse(const QString& why); // shows the reason why nothing can be run
    void cancel();

    bool isBusy() const { return m_job.isRunning(); }
    QString jobTitle() const;   // empty if nothing is running
    RunningScore score() const; // of the current run
    // Null if nothing was evaluated.
    const std::shared_ptr<const FolderEvaluation>& found() const { return m_found; }
    const GraphPtr& graph() const { return m_graph; }    // the graph that was evaluated
    const QString& failure() const { return m_failure; } // of the last run; empty: none

    nlohmann::json remembered() const;
    void restore(const nlohmann::json& state);

signals:
    void changed();
    void observed(const QString& log, int ranges, int pictures);
    void busyChanged();
    void progressed(int permille);

private:
    struct Heard; // what a run reported, read on this thread
    void begin(QString title);
    void fail(const Error& error);

    FolderChoice m_choice;
    std::shared_ptr<Heard> m_heard;
    std::shared_ptr<const FolderEvaluation> m_found;
    GraphPtr m_graph;
    QString m_failure;
    QString m_title;
    LatestJob m_job;
};

} // namespace lapidary
