// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/sensitivity_session.h"

#include "app/document/base/remedy.h"
#include "views/models/display_text.h"

#include <utility>

namespace lapidary {

SensitivitySession::SensitivitySession(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_job(nullptr, pool)
{
    connect(&m_job, &LatestJob::runningChanged, this, &SensitivitySession::busyChanged);
    connect(&m_job, &LatestJob::progressed, this, &SensitivitySession::progressed);
}

void SensitivitySession::measure(GraphEntry entry, std::string path, SensitivityTask task)
{
    m_failure.clear();
    const GraphPtr graph = entry.graph;
    m_job.start([entry = std::move(entry), path = std::move(path), task = std::move(task)](
                    const Job& job) { return sensitivityBoxed(entry, path, task, job); },
                [this, graph](Result<Sensitivity> found) {
                    if (!found) {
                        if (found.error().code != ErrorCode::Cancelled)
                            m_failure = plainText(messageForWindow(found.error()));
                        emit changed();
                        return;
                    }
                    m_found = std::make_shared<const Sensitivity>(*std::move(found));
                    m_graph = graph;
                    m_given = 0;
                    emit changed();
                    emit measured();
                });
    emit changed();
}

void SensitivitySession::refuse(const QString& why)
{
    m_job.cancel();
    m_failure = why;
    emit changed();
}

void SensitivitySession::cancel()
{
    m_job.cancel();
    emit changed();
}

std::optional<std::size_t> SensitivitySession::next()
{
    if (!m_found || m_found->layers.empty())
        return {};
    return worstFirst(*m_found)[m_given++ % m_found->layers.size()];
}

} // namespace lapidary
