// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/lens_session.h"

#include "app/boxed/boxed_runs.h"
#include "app/document/base/remedy.h"
#include "runner/setup/prepare_run.h"
#include "views/models/display_text.h"

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

LensSession::LensSession(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_job(nullptr, pool)
{
    connect(&m_job, &LatestJob::runningChanged, this, &LensSession::busyChanged);
    connect(&m_job, &LatestJob::progressed, this, &LensSession::progressed);
}

void LensSession::compare(GraphEntry before, GraphEntry after, std::string path, VerifyPlan plan)
{
    clear();
    m_graph = after.graph;
    m_job.start(
        [before = std::move(before), after = std::move(after), path = std::move(path),
         plan = std::move(plan)](const Job& job) -> Result<VerificationPtr> {
            ASSIGN_OR_RETURN(auto found, verifyBoxed({before, after.graph, path, plan}, job));
            if (!found.missing.empty())
                return Error{ErrorCode::Unsupported,
                             "cannot be run: no kernel for " + missingText(found.missing),
                             ErrorReason::MissingKernel, found.missing.front().op};
            return std::make_shared<const Verification>(std::move(found));
        },
        [this](Result<VerificationPtr> found) {
            if (found)
                m_found = *std::move(found);
            else if (found.error().code != ErrorCode::Cancelled)
                m_failure = plainText(messageForWindow(found.error()));
            emit changed();
        });
    emit changed();
}

void LensSession::refuse(const QString& why)
{
    clear();
    m_failure = why;
    emit changed();
}

void LensSession::cancel()
{
    m_job.cancel();
    emit changed();
}

void LensSession::clear()
{
    m_job.cancel();
    m_found.reset();
    m_graph.reset();
    m_failure.clear();
    m_last.reset();
    emit changed();
}

void LensSession::setThreshold(double decibels)
{
    if (m_threshold == decibels)
        return;
    m_threshold = decibels;
    m_last.reset();
    emit changed();
}

std::optional<std::size_t> LensSession::next()
{
    if (!m_found)
        return {};
    const auto& pairs = m_found->pairs;
    for (std::size_t step = 0; step < pairs.size(); ++step) {
        const std::size_t at = ((m_last ? *m_last + 1 : 0) + step) % pairs.size();
        // A NaN is below every threshold.
        if (pairs[at].isUndone || pairs[at].agreement.sqnrDb >= m_threshold)
            continue;
        m_last = at;
        return at;
    }
    return {};
}

} // namespace lapidary
