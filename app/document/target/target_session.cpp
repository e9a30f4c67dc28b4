// SPDX-License-Identifier: Apache-2.0
#include "app/document/target/target_session.h"

#include "app/document/base/dispose.h"
#include "views/models/display_text.h"

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

TargetSession::TargetSession(QObject* parent)
    : QObject(parent)
{
    connect(&m_job, &LatestJob::runningChanged, this, &TargetSession::busyChanged);
}

void TargetSession::setTarget(const Target* target)
{
    if (m_target == target)
        return;
    m_target = target;
    check();
}

void TargetSession::setGraph(GraphPtr graph, const InterfaceChoice& choice)
{
    std::vector<std::string> inputs = tensorsAsFlags(choice.inputs);
    std::vector<std::string> outputs = tensorsAsFlags(choice.outputs);
    if (graph == m_graph && inputs == m_inputs && outputs == m_outputs)
        return;
    m_graph = std::move(graph);
    m_inputs = std::move(inputs);
    m_outputs = std::move(outputs);
    if (m_target != nullptr)
        check();
}

QString TargetSession::jobTitle() const
{
    if (!m_job.isRunning())
        return {};
    return m_report ? u"Trying what helps"_s : u"Looking for kernels"_s;
}

void TargetSession::cancel()
{
    m_job.cancel();
}

void TargetSession::check()
{
    m_job.cancel();
    disposeLater(QThreadPool::globalInstance(), std::exchange(m_report, nullptr));
    m_failure.clear();
    emit changed();
    if (m_target == nullptr || !m_graph)
        return;
    auto asked = std::make_shared<TargetReport>();
    asked->target = m_target;
    asked->graph = m_graph;
    asked->inputs = m_inputs;
    asked->outputs = m_outputs;
    m_job.start(
        [asked](const Job& job) -> Result<TargetReportPtr> {
            ASSIGN_OR_RETURN(asked->support,
                             checkSupport(*asked->graph, asked->inputs, asked->outputs, OpSupport(),
                                          *asked->target, job));
            return TargetReportPtr(asked);
        },
        [this](Result<TargetReportPtr> found) {
            if (found)
                m_report = *std::move(found);
            else
                m_failure = plainText(found.error().message);
            emit changed();
            if (m_report && !m_report->runs())
                tryRemedies();
        });
}

void TargetSession::tryRemedies()
{
    m_job.start(
        [report = m_report](const Job& job) -> Result<TargetReportPtr> {
            auto more = std::make_shared<TargetReport>(*report);
            ASSIGN_OR_RETURN(more->plan, planRemedies(more->graph, more->inputs, more->outputs,
                                                      OpSupport(), *more->target, job));
            return TargetReportPtr(more);
        },
        [this](Result<TargetReportPtr> found) {
            if (!found)
                return; // the missing ops are known nevertheless
            m_report = *std::move(found);
            emit changed();
        });
}

} // namespace lapidary
