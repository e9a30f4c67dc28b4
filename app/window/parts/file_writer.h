// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace lapidary {

class StatusLine;

// Writes files on a worker and reports the result in the status bar.
class FileWriter : public QObject {
    Q_OBJECT
public:
    using Write = std::function<Status(const std::filesystem::path& to, const Job& job)>;
    using MakeBytes = std::function<Result<std::string>(const Job& job)>;

    explicit FileWriter(StatusLine& status, QObject* parent = nullptr);

    void write(const QString& path, Write write);
    void writeBytes(const QString& path, MakeBytes makeBytes);
    // Does the same for a state of a graph; pathOf() then returns the path.
    void writeState(const QString& path, const GraphPtr& state, Write write);
    // Returns the path of a state; empty if another one was written since.
    std::filesystem::path pathOf(const GraphPtr& state) const;
    bool isBusy() const { return m_job.isRunning(); }

private:
    StatusLine& m_status;
    std::weak_ptr<const Graph> m_state; // the last one written
    std::filesystem::path m_statePath;
    LatestJob m_job;
};

} // namespace lapidary
