// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/state_verdicts.h"

#include "app/document/base/remedy.h"

namespace lapidary {

StateVerdicts::StateVerdicts(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_job(nullptr, pool)
{
    connect(&m_job, &LatestJob::runningChanged, this, &StateVerdicts::busyChanged);
    connect(&m_job, &LatestJob::progressed, this, &StateVerdicts::progressed);
}

void StateVerdicts::setVerify(Verify verify)
{
    m_verify = std::move(verify);
    m_job.cancel();
    m_judging = 0;
    m_verdicts.clear();
    judgeNext();
}

void StateVerdicts::setOn(bool isOn)
{
    m_isOn = isOn;
    if (!isOn) {
        m_job.cancel();
        m_judging = 0;
    }
    judgeNext();
    emit changed();
}

Verdict StateVerdicts::of(const TimelineState& state) const
{
    const auto known = m_verdicts.find(state.id);
    if (known != m_verdicts.end())
        return known->second;
    Verdict verdict;
    if (m_judging == state.id && m_job.isRunning())
        verdict.kind = Verdict::Kind::Running;
    return verdict;
}

void StateVerdicts::judge(Task task)
{
    m_task = std::move(task);
    m_isPaused = false;
    judgeNext();
}

void StateVerdicts::pause()
{
    m_isPaused = true;
    m_job.cancel();
    m_judging = 0;
}

void StateVerdicts::judgeNext()
{
    if (!m_isOn || !m_verify || m_isPaused || m_job.isRunning())
        return;
    GraphPtr last = m_task.base;
    Verdict lastVerdict;
    lastVerdict.kind = Verdict::Kind::Same;
    for (const TimelineStatePtr& state : m_task.states) {
        if (!m_verdicts.contains(state->id) && state->graph() == last)
            m_verdicts[state->id] = lastVerdict;
        if (!m_verdicts.contains(state->id)) {
            m_judging = state->id;
            m_job.start(
                [verify = m_verify, base = m_task.base, graph = state->graph(),
                 ends = m_task.ends](const Job& job) { return verify(base, graph, ends, job); },
                [this, id = state->id, graph = state->graph()](Result<Verification> found) {
                    judged(id, *graph, std::move(found));
                });
            break;
        }
        last = state->graph();
        lastVerdict = m_verdicts[state->id];
    }
    emit changed();
}

void StateVerdicts::judged(std::uint64_t state, const Graph& graph, Result<Verification> found)
{
    m_judging = 0;
    if (!found && found.error().code == ErrorCode::Cancelled) {
        emit cancelled();
        return;
    }
    Verdict verdict;
    if (found) {
        verdict = verdictOf(graph, *found);
    } else {
        verdict.kind = Verdict::Kind::Unknown;
        verdict.why = messageForWindow(found.error());
    }
    m_verdicts[state] = std::move(verdict);
    judgeNext();
}

} // namespace lapidary
