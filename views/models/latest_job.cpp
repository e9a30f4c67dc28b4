// SPDX-License-Identifier: Apache-2.0
#include "views/models/latest_job.h"

namespace lapidary {

std::stop_token LatestJob::restart()
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    return m_stop.get_token();
}

void LatestJob::reportProgress(QFutureWatcherBase* watcher, const std::stop_token& stop)
{
    connect(watcher, &QFutureWatcherBase::progressValueChanged, this, [this, stop](int value) {
        if (!stop.stop_requested())
            emit progressed(value);
    });
}

void LatestJob::setRunning(bool isRunning)
{
    if (m_isRunning == isRunning)
        return;
    m_isRunning = isRunning;
    emit runningChanged(isRunning);
}

} // namespace lapidary
