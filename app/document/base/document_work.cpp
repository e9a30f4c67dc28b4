// SPDX-License-Identifier: Apache-2.0
#include "app/document/base/document_work.h"

#include "views/models/display_text.h"
#include "views/models/latest_job.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void DocumentWork::setStage(DocumentStage stage)
{
    if (m_stage == stage)
        return;
    m_stage = stage;
    m_hasPicture = m_hasPicture || stage == DocumentStage::Shown;
    emit stageChanged();
}

void DocumentWork::fail(const Error& error)
{
    if (error.code == ErrorCode::Cancelled) {
        emit notice(u"Stopped"_s);
        return;
    }
    m_failure = plainText(error.message);
    if (m_hasPicture)
        emit notice(m_failure);
    else
        setStage(DocumentStage::Failed);
    emit failed();
}

void DocumentWork::refuse(const QString& why)
{
    m_failure = why;
    setStage(DocumentStage::Failed);
}

void DocumentWork::watch(DocumentJob kind, LatestJob& job)
{
    connect(&job, &LatestJob::runningChanged, this, &DocumentWork::busyChanged);
    connect(&job, &LatestJob::progressed, this, &DocumentWork::progressed);
    m_watched.push_back({kind, &job, {}});
    std::ranges::stable_sort(m_watched, {}, &Watched::kind);
}

void DocumentWork::watch(DocumentJob kind, std::function<QString()> title)
{
    m_watched.push_back({kind, nullptr, std::move(title)});
    std::ranges::stable_sort(m_watched, {}, &Watched::kind);
}

QString DocumentWork::titleOf(DocumentJob kind) const
{
    switch (kind) {
    case DocumentJob::Reading: return u"Reading"_s;
    case DocumentJob::LayingOut:
        return m_stage == DocumentStage::Preparing ? u"Preparing"_s : u"Laying out"_s;
    case DocumentJob::Tracing: return u"Tracing"_s;
    case DocumentJob::Searching: return u"Searching"_s;
    case DocumentJob::Transforming: return u"Transforming"_s;
    case DocumentJob::Checking: return u"Checking"_s;
    case DocumentJob::InferringShapes: return u"Inferring shapes"_s;
    case DocumentJob::Computing:
    case DocumentJob::Profiling: return u"Running"_s;
    case DocumentJob::Coloring: return u"Coloring"_s;
    case DocumentJob::Comparing: return u"Comparing with the original"_s;
    case DocumentJob::Feeding: return u"Reading what is fed"_s;
    }
    return {};
}

QString DocumentWork::title() const
{
    for (const Watched& one : m_watched) {
        const QString title = one.job == nullptr     ? one.title()
                              : one.job->isRunning() ? titleOf(one.kind)
                                                     : QString();
        if (!title.isEmpty())
            return title;
    }
    return {};
}

void DocumentWork::cancel()
{
    for (const Watched& one : m_watched)
        if (one.job != nullptr)
            one.job->cancel();
}

} // namespace lapidary
