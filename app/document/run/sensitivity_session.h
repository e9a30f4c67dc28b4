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

// The noise that each layer of a document's graph makes if only that layer is stored in fewer bits.
class SensitivitySession : public QObject {
    Q_OBJECT
public:
    explicit SensitivitySession(QThreadPool* pool, QObject* parent = nullptr);

    // Starts to measure; the previous result is kept until the new one is ready. `path`: of the
    // model, for its variables and files.
    void measure(GraphEntry entry, std::string path, SensitivityTask task);
    void refuse(const QString& why); // shows the reason why nothing can be run
    void cancel();

    bool isBusy() const { return m_job.isRunning(); }
    // Null if nothing was measured.
    const std::shared_ptr<const Sensitivity>& found() const { return m_found; }
    const GraphPtr& graph() const { return m_graph; }    // the graph that was measured
    const QString& failure() const { return m_failure; } // of the last run; empty: none
    // Returns the next layer, the worst first. After the last layer it begins again. None if there
    // is none.
    std::optional<std::size_t> next();

signals:
    void changed();
    void measured(); // there is a new result
    void busyChanged();
    void progressed(int permille);

private:
    std::shared_ptr<const Sensitivity> m_found;
    GraphPtr m_graph;
    QString m_failure;
    std::size_t m_given = 0; // number of layers that next() returned
    LatestJob m_job;
};

} // namespace lapidary
