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

// Kinds of background work. Where several run, the status bar names the first one of this order.
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

// The progress of a document: every part of it reports its jobs here.
class DocumentWork : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    DocumentStage stage() const { return m_stage; }
    void setStage(DocumentStage stage);
    // Why the stage is Failed, or what could not be done last.
    const QString& failure() const { return m_failure; }
    // Reports an error. The current picture stays, with a notice; without a picture, the stage is
    // Failed.
    void fail(const Error& error);
    void refuse(const QString& why); // nothing of the file can be shown

    // `job` must live as long as anybody asks; cancel() stops it.
    void watch(DocumentJob kind, LatestJob& job);
    // Work that its owner stops; `title` is empty while it rests.
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
        LatestJob* job; // null: `title` says
        std::function<QString()> title;
    };
    QString titleOf(DocumentJob kind) const;

    DocumentStage m_stage = DocumentStage::Empty;
    QString m_failure;
    bool m_hasPicture = false;
    std::vector<Watched> m_watched; // by kind
};

} // namespace lapidary
