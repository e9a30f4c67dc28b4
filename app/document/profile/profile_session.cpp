// SPDX-License-Identifier: Apache-2.0
#include "app/document/profile/profile_session.h"

#include "app/boxed/boxed_runs.h"
#include "app/boxed/run_limits.h"
#include "app/document/base/remedy.h"
#include "runner/profile/read_node_profile.h"
#include "views/models/display_text.h"

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Returns the first input that an error is about, with the sizes that fit it best.
OpenShape shapeWanted(const Graph& graph, const Error& error, const InterfaceChoice& choice,
                      const Job& job)
{
    return proposeShape(graph, error.subject.substr(0, error.subject.find(' ')), choice, job);
}

} // namespace

ProfileSession::ProfileSession(QThreadPool* runPool, QObject* parent)
    : QObject(parent)
    , m_workJob(nullptr, runPool)
    , m_peakJob(nullptr, runPool)
{
    for (LatestJob* job : {&m_workJob, &m_matchJob, &m_peakJob}) {
        connect(job, &LatestJob::runningChanged, this, &ProfileSession::busyChanged);
        connect(job, &LatestJob::progressed, this, &ProfileSession::progressed);
    }
}

QString ProfileSession::jobTitle() const
{
    if (m_workJob.isRunning())
        return m_title;
    if (m_peakJob.isRunning())
        return u"Measuring this machine"_s;
    return m_matchJob.isRunning() ? u"Summing up"_s : QString();
}

void ProfileSession::run(GraphEntry entry, std::string path, InterfaceChoice choice)
{
    ProfileRunOptions options;
    options.threads = runLimits().threads;
    options.memoryLimit = runLimits().memory;
    const GraphPtr graph = entry.graph;
    const auto asked = std::make_shared<OpenShape>();
    start(
        [entry = std::move(entry), path = std::move(path), choice = std::move(choice), options,
         asked](const Job& job) {
            auto profile = profileBoxed(entry, path, choice, options, job);
            if (!profile && profile.error().reason == ErrorReason::MissingSize)
                *asked = shapeWanted(*entry.graph, profile.error(), choice, job);
            return profile;
        },
        u"Running"_s, graph, true, asked);
}

void ProfileSession::open(const std::filesystem::path& path)
{
    start([path](const Job& job) { return readNodeProfile(path, job); }, u"Reading a profile"_s,
          shownGraph(), false);
}

void ProfileSession::measure(Work work, QString title)
{
    start(std::move(work), std::move(title), shownGraph(), false);
}

GraphPtr ProfileSession::shownGraph() const
{
    return m_preparation ? m_preparation->sharedGraph() : nullptr;
}

void ProfileSession::start(Work work, QString title, GraphPtr graph, bool isHere, Asked asked)
{
    m_title = std::move(title);
    m_failure.clear();
    m_openShape.reset();
    m_workJob.start(std::move(work), [this, graph = std::move(graph), isHere,
                                      asked = std::move(asked)](Result<NodeProfilePtr> profile) {
        if (asked && !asked->tensor.empty())
            m_openShape = asked;
        take(std::move(profile), graph, isHere);
    });
    emit changed();
}

void ProfileSession::take(Result<NodeProfilePtr> profile, GraphPtr graph, bool isHere)
{
    if (!profile) {
        if (profile.error().code != ErrorCode::Cancelled)
            m_failure = plainText(m_openShape ? profile.error().message
                                              : messageForWindow(profile.error()));
        emit changed();
        return;
    }
    m_profile = *std::move(profile);
    m_measuredGraph = std::move(graph);
    if (isHere)
        m_profileHere = m_profile;
    m_sums.reset();
    m_sumsHere.reset();
    emit measured();
    match();
}

void ProfileSession::setGraph(PreparationPtr preparation, std::string function)
{
    m_preparation = std::move(preparation);
    m_function = std::move(function);
    m_sums.reset();
    m_sumsHere.reset();
    match();
}

void ProfileSession::match()
{
    if (!m_profile || !m_preparation) {
        m_matchJob.cancel();
        emit changed();
        return;
    }
    struct Matched {
        ProfileSumsPtr sums;
        ProfileSumsPtr here;
    };
    const NodeProfilePtr here = m_profileHere == m_profile ? nullptr : m_profileHere;
    m_matchJob.start(
        [profile = m_profile, here, preparation = m_preparation,
         function = m_function](const Job& job) -> Result<Matched> {
            const auto matched = [&](const NodeProfilePtr& measured) {
                return ProfileSums::make(measured, preparation->graph(), preparation->sharedTree(),
                                         function, job);
            };
            Matched both;
            ASSIGN_OR_RETURN(both.sums, matched(profile));
            if (here) {
                ASSIGN_OR_RETURN(both.here, matched(here));
            }
            return both;
        },
        [this](Result<Matched> both) {
            if (both) {
                m_sums = std::move(both->sums);
                m_sumsHere = std::move(both->here);
            }
            emit changed();
        });
}

// Runs in the same pool as everything that runs graphs, so that nothing disturbs the measurement.
void ProfileSession::wantPeaks()
{
    if (m_peaks || m_peakJob.isRunning())
        return;
    m_peakJob.start([](const Job& job) { return measurePeaks(runLimits().threads, job); },
                    [this](Result<MachinePeaks> peaks) {
                        if (peaks)
                            m_peaks = *peaks;
                        emit peaksMeasured();
                    });
}

void ProfileSession::clear()
{
    m_workJob.cancel();
    m_matchJob.cancel();
    m_profile.reset();
    m_sums.reset();
    m_profileHere.reset();
    m_sumsHere.reset();
    m_failure.clear();
    emit changed();
}

void ProfileSession::cancel()
{
    m_workJob.cancel();
    m_peakJob.cancel();
    emit changed();
}

} // namespace lapidary
