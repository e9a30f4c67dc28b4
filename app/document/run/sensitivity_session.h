// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/boxed_runs.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>

namespace lapidary {

// How much noise each layer of a document's graph makes when it alone is stored in fewer bits.
class SensitivitySession : public QObject {
    Q_OBJECT
public:
    explicit SensitivitySession(QThreadPool* pool, QObject* parent = nullptr);

    // Starts to measure; the previous result stays until the new one is there. `path`: of the
    // model, for its variables and files.
    void measure(GraphEntry entry, std::string path, SensitivityTask task);
    void refuse(const QString& why); // nothing can be run
    void cancel();

    bool isBusy() const { return m_job.isRunning(); }
    // Null: nothing was measured.
    const std::shared_ptr<const Sensitivity>& found() const { return m_found; }
    const GraphPtr& graph() const { return m_graph; }    // that was measured
    const QString& failure() const { return m_failure; } // of the last run; empty: none
    // Returns the layer after the last returned one, the worst first; begins again after the last.
    // Nothing if there is none.
    std::optional<std::size_t> next();

signals:
    void changed();
    void measured(); // there is another answer
    void busyChanged();
    void progressed(int permille);

private:
    std::shared_ptr<const Sensitivity> m_found;
    GraphPtr m_graph;
    QString m_failure;
    std::size_t m_given = 0; // by next()
    LatestJob m_job;
};

} // namespace lapidary
