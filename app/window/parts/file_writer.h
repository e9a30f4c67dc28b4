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

// Writes files on a worker and says in the status bar how it ended.
class FileWriter : public QObject {
    Q_OBJECT
public:
    using Write = std::function<Status(const std::filesystem::path& to, const Job& job)>;
    using MakeBytes = std::function<Result<std::string>(const Job& job)>;

    explicit FileWriter(StatusLine& status, QObject* parent = nullptr);

    void write(const QString& path, Write write);
    void writeBytes(const QString& path, MakeBytes makeBytes);
    // One that writes a state of a graph; pathOf() tells later where that is.
    void writeState(const QString& path, const GraphPtr& state, Write write);
    std::filesystem::path pathOf(const GraphPtr& state) const; // empty: it was not written last
    bool isBusy() const { return m_job.isRunning(); }

private:
    StatusLine& m_status;
    std::weak_ptr<const Graph> m_state; // written last
    std::filesystem::path m_statePath;
    LatestJob m_job;
};

} // namespace lapidary
