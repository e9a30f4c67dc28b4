// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace lapidary {

class LatestJob;

enum class DocumentStage { Empty, Loading, Preparing, Shown, Failed };

// Kinds of background work. If several are running, the status bar names the first one in this
// order.
enum class DocumentJob {
    Reading,
    LayingOut,
    Tracing,
    Searching,
    Transforming,
    Checking,
    InferringShapes,
    Computing,
    Profiling,
    Coloring,
    Comparing,
    Feeding,
};

// The progress of a document: all its parts report their jobs here.
class DocumentWork : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    DocumentStage stage() const { return m_stage; }
    void setStage(DocumentStage stage);
    // The reason why the stage is Failed, or the last error.
    const QString& failure() const { return m_failure; }
    // Reports an error. The current picture stays, with a notice; without a picture, the stage is
    // Failed.
    void fail(const Error& error);
    void refuse(const QString& why); // nothing of the file can be shown; `why` tells the reason

    // Watches a job, which must outlive this object; cancel() stops it.
    void watch(DocumentJob kind, LatestJob& job);
    // Watches work that its owner stops; `title` returns an empty text while it is idle.
    void watch(DocumentJob kind, std::function<QString()> title);
    bool isBusy() const { return !title().isEmpty(); }
    QString title() const; // "Reading", "Laying out"; empty while idle
    void cancel();

signals:
    void stageChanged();
    void busyChanged();
    void progressed(int permille);
    void failed();                    // fail() was called, and not for a cancelled job
    void notice(const QString& text); // one line for the status bar

private:
    struct Watched {
        DocumentJob kind;
        LatestJob* job; // null: `title` tells whether it is running
        std::function<QString()> title;
    };
    QString titleOf(DocumentJob kind) const;

    DocumentStage m_stage = DocumentStage::Empty;
    QString m_failure;
    bool m_hasPicture = false;
    std::vector<Watched> m_watched; // by kind
};

} // namespace lapidary
