// SPDX-License-Identifier: Apache-2.0
#include "app/document/profile/profile_session.h"

#include "app/boxed/boxed_runs.h"
#include "app/document/base/remedy.h"
#include "runner/profile/read_node_profile.h"
#include "views/models/display_text.h"

#include <QThread>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

ProfileSession::ProfileSession(QThreadPool* runPool, QObject* parent)
    : QObject(parent)
    , m_workJob(nullptr, runPool)
{
    for (LatestJob* job : {&m_workJob, &m_matchJob}) {
        connect(job, &LatestJob::runningChanged, this, &ProfileSession::busyChanged);
        connect(job, &LatestJob::progressed, this, &ProfileSession::progressed);
    }
}

QString ProfileSession::jobTitle() const
{
    if (m_workJob.isRunning())
        return m_title;
    return m_matchJob.isRunning() ? u"Summing up"_s : QString();
}

void ProfileSession::run(GraphEntry entry, std::string path, InterfaceChoice choice)
{
    ProfileRunOptions options;
    options.threads = std::max(1, QThread::idealThreadCount() - 1);
    start([entry = std::move(entry), path = std::move(path), choice = std::move(choice),
           options](const Job& job) { return profileBoxed(entry, path, choice, options, job); },
          u"Running"_s);
}

void ProfileSession::open(const std::filesystem::path& path)
{
    start([path](const Job& job) { return readNodeProfile(path, job); }, u"Reading a profile"_s);
}

void ProfileSession::start(Work work, QString title)
{
    m_title = std::move(title);
    m_failure.clear();
    m_workJob.start(std::move(work),
                    [this](Result<NodeProfilePtr> profile) { take(std::move(profile)); });
    emit changed();
}

void ProfileSession::take(Result<NodeProfilePtr> profile)
{
    if (!profile) {
        if (profile.error().code != ErrorCode::Cancelled)
            m_failure = plainText(messageForWindow(profile.error()));
        emit changed();
        return;
    }
    m_profile = *std::move(profile);
    m_sums.reset();
    emit measured();
    match();
}

void ProfileSession::setGraph(PreparationPtr preparation, std::string function)
{
    m_preparation = std::move(preparation);
    m_function = std::move(function);
    m_sums.reset();
    match();
}

void ProfileSession::match()
{
    if (!m_profile || !m_preparation) {
        m_matchJob.cancel();
        emit changed();
        return;
    }
    m_matchJob.start(
        [profile = m_profile, preparation = m_preparation, function = m_function](const Job& job) {
            return ProfileSums::make(profile, preparation->graph(), preparation->sharedTree(),
                                     function, job);
        },
        [this](Result<ProfileSumsPtr> sums) {
            if (sums)
                m_sums = *std::move(sums);
            emit changed();
        });
}

void ProfileSession::clear()
{
    m_workJob.cancel();
    m_matchJob.cancel();
    m_profile.reset();
    m_sums.reset();
    m_failure.clear();
    emit changed();
}

void ProfileSession::cancel()
{
    m_workJob.cancel();
    emit changed();
}

} // namespace lapidary
