// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/lens_session.h"

#include "app/boxed/boxed_runs.h"
#include "app/document/base/remedy.h"
#include "graph_model/base/digits.h"
#include "runner/setup/prepare_run.h"
#include "transforms/pass/pass.h"
#include "views/models/display_text.h"

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

Result<VerificationPtr> verified(const VerifyTask& task, const Job& job)
{
    ASSIGN_OR_RETURN(auto found, verifyBoxed(task, job));
    if (!found.missing.empty())
        return Error{ErrorCode::Unsupported, "cannot be run: " + missingText(found.missing),
                     ErrorReason::MissingKernel, found.missing.front().op};
    return std::make_shared<const Verification>(std::move(found));
}

} // namespace

RecipeStep rangeStep(const RangeTrial& trial)
{
    RecipeStep step{"set_range", {}};
    step.parameters.add("name", trial.node);
    step.parameters.add("min", shortestDigits(trial.min));
    step.parameters.add("max", shortestDigits(trial.max));
    return step;
}

LensSession::LensSession(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_job(nullptr, pool)
    , m_trialJob(nullptr, pool)
{
    for (LatestJob* job : {&m_job, &m_trialJob}) {
        connect(job, &LatestJob::runningChanged, this, &LensSession::busyChanged);
        connect(job, &LatestJob::progressed, this, &LensSession::progressed);
    }
}

void LensSession::compare(GraphEntry before, GraphEntry after, std::string path, VerifyPlan plan)
{
    clear();
    m_graph = after.graph;
    m_task = std::make_shared<const Task>(Task{.before = std::move(before),
                                               .after = std::move(after.graph),
                                               .path = std::move(path),
                                               .plan = std::move(plan)});
    m_job.start(
        [task = m_task](const Job& job) -> Result<VerificationPtr> {
            return verified({task->before, task->after, task->path, task->plan}, job);
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

void LensSession::tryRange(const std::string& node, float min, float max)
{
    if (!m_task || !m_found)
        return;
    m_trial = RangeTrial{.node = node, .min = min, .max = max, .found = {}, .failure = {}};
    m_trialJob.start(
        [task = m_task, step = rangeStep(*m_trial)](const Job& job) -> Result<VerificationPtr> {
            ASSIGN_OR_RETURN(const EditResult made,
                             findPass(step.pass)->run(
                                 task->after, {{}, task->plan.run.fetches, step.parameters}, job));
            return verified({task->before, made.graph, task->path, task->plan}, job);
        },
        [this](Result<VerificationPtr> found) {
            if (found)
                m_trial->found = *std::move(found);
            else if (found.error().code != ErrorCode::Cancelled)
                m_trial->failure = plainText(messageForWindow(found.error()));
            else
                m_trial.reset();
            emit trialChanged();
        });
    emit trialChanged();
}

void LensSession::dropTrial()
{
    m_trialJob.cancel();
    if (!std::exchange(m_trial, std::nullopt))
        return;
    emit trialChanged();
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
    dropTrial();
    emit changed();
}

void LensSession::clear()
{
    m_job.cancel();
    dropTrial();
    m_task.reset();
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
