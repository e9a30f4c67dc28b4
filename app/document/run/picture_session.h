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

// The pictures that a classifier is judged by, and how their pixels are scaled.
struct FolderChoice {
    PictureFolder folder;
    float mean = 0; // a pixel x becomes (x - mean) / std
    float std = 255;

    bool isReady() const { return !folder.images.empty(); }
};

// Runs a document's graph on a folder of pictures: how often it is right, which pictures it
// mistakes for something else, and which ranges its tensors have.
class PictureSession : public QObject {
    Q_OBJECT
public:
    explicit PictureSession(QThreadPool* pool, QObject* parent = nullptr);

    const FolderChoice& choice() const { return m_choice; }
    void setChoice(FolderChoice choice); // what was found stays until the next run

    // `path`: of the model, for its variables and files.
    void evaluate(GraphEntry entry, std::string path, EvaluateTask task);
    // Writes the ranges that an 8-bit graph measures on the pictures of the choice to `log`.
    void observe(GraphEntry entry, std::string path, ClassifyPlan plan, std::string log);
    void refuse(const QString& why); // nothing can be run
    void cancel();

    bool isBusy() const { return m_job.isRunning(); }
    QString jobTitle() const;   // empty: not busy
    RunningScore score() const; // of the run that goes on
    // Null: nothing was evaluated.
    const std::shared_ptr<const FolderEvaluation>& found() const { return m_found; }
    const GraphPtr& graph() const { return m_graph; }    // that was evaluated
    const QString& failure() const { return m_failure; } // of the last run; empty: none

    nlohmann::json remembered() const;
    void restore(const nlohmann::json& state);

signals:
    void changed();
    void observed(const QString& log, int ranges, int pictures);
    void busyChanged();
    void progressed(int permille);

private:
    struct Heard; // what a run told, read here
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
