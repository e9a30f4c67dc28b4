// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/step_process.h"
#include "runner/setup/compute_tensors.h"
#include "views/models/latest_job.h"

#include <QObject>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lapidary {

// Tensors that are computed and shown together: the outputs of a node, or the results of a scope.
struct ValueTarget {
    std::vector<std::string> tensors; // "x:0"
    // The function whose body contains them; empty: the graph itself.
    std::string function = {};
    bool operator==(const ValueTarget&) const = default;
};

// A run that computes some tensors.
struct ValueRun {
    GraphEntry entry;
    std::string path; // of the model, for its variables and files
    TensorRequest request;
};

// Runs graphs in the background to compute values for the window, one at a time. start() cancels
// the previous run, whose `answer` is then not called.
class ValueRuns : public QObject {
    Q_OBJECT
public:
    using Answer = std::function<void(Result<std::vector<ComputedOutput>>)>;

    // `process` executes the runs; several objects may share it.
    ValueRuns(QThreadPool* pool, std::shared_ptr<StepProcess> process, QObject* parent = nullptr);

    void start(ValueRun run, Answer answer);
    void cancel();
    bool isRunning() const { return m_job.isRunning(); }

signals:
    void runningChanged();

private:
    std::shared_ptr<StepProcess> m_process;
    LatestJob m_job;
};

} // namespace lapidary
