// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/value_runs.h"

#include <utility>

namespace lapidary {

ValueRuns::ValueRuns(QThreadPool* pool, std::shared_ptr<StepProcess> process, QObject* parent)
    : QObject(parent)
    , m_process(std::move(process))
    , m_job(nullptr, pool)
{
    connect(&m_job, &LatestJob::runningChanged, this, &ValueRuns::runningChanged);
}

void ValueRuns::start(ValueRun run, Answer answer)
{
    m_job.start(
        [run = std::move(run), process = m_process](const Job& job) {
            return process->compute(run.entry, run.path, run.request, job);
        },
        std::move(answer));
}

void ValueRuns::cancel()
{
    m_job.cancel();
}

} // namespace lapidary
