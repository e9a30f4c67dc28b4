// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/autopilot_session.h"

#include "app/boxed/boxed_runs.h"
#include "app/document/base/remedy.h"
#include "transforms/accuracy/autopilot_choice.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <nlohmann/json.hpp>

namespace lapidary {

using nlohmann::json;

struct AutopilotSession::Heard {
    std::mutex lock;
    std::optional<Autopilot> found; // none: the original is still being measured
};

AutopilotSession::AutopilotSession(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_job(nullptr, pool)
{
    connect(&m_job, &LatestJob::runningChanged, this, &AutopilotSession::busyChanged);
    connect(&m_job, &LatestJob::progressed, this, [this](int permille) {
        emit progressed(permille);
        takeHeard();
        emit changed();
    });
}

void AutopilotSession::setChoice(AutopilotChoice choice)
{
    if (m_choice == choice)
        return;
    m_choice = std::move(choice);
    emit choiceChanged();
}

void AutopilotSession::search(Start start, AutopilotTask task)
{
    m_task = task;
    m_graph = start.entry.graph;
    m_steps = start.steps;
    m_found.reset();
    m_current.clear();
    m_failure.clear();
    m_heard = std::make_shared<Heard>();
    m_job.start(
        [start = std::move(start), task = std::move(task), heard = m_heard](const Job& job) {
            const auto hear = [&heard](const Autopilot& soFar) {
                const std::scoped_lock lock(heard->lock);
                heard->found = soFar;
            };
            return autopilotBoxed(start.entry, start.path, task, hear, job);
        },
        [this](Result<Autopilot> found) {
            if (found) {
                take(*std::move(found));
            } else {
                takeHeard();
                if (found.error().code != ErrorCode::Cancelled)
                    m_failure = plainText(messageForWindow(found.error()));
            }
            m_heard.reset();
            emit changed();
        });
    emit changed();
}

// The chosen point among those found so far is a valid choice, too.
void AutopilotSession::takeHeard()
{
    if (!m_heard)
        return;
    std::optional<Autopilot> soFar;
    {
        const std::scoped_lock lock(m_heard->lock);
        if (m_heard->found && (!m_found || m_found->points.size() < m_heard->found->points.size()))
            soFar = m_heard->found;
    }
    if (!soFar)
        return;
    soFar->isStopped = true;
    m_limits = limitsOf(m_task, *soFar);
    choosePoint(*soFar, m_limits);
    take(*std::move(soFar));
}

void AutopilotSession::take(Autopilot found)
{
    m_limits = limitsOf(m_task, found);
    for (AutopilotPoint& point : found.points)
        point.encoded.clear();
    m_found = std::make_shared<const Autopilot>(std::move(found));
}

void AutopilotSession::refuse(const QString& why)
{
    cancel();
    m_failure = why;
    emit changed();
}

void AutopilotSession::cancel()
{
    m_job.cancel();
    takeHeard();
    m_heard.reset();
    emit changed();
}

std::optional<std::size_t> AutopilotSession::current() const
{
    if (!m_found)
        return {};
    const auto& points = m_found->points;
    const auto looked = std::ranges::find(points, m_current, &AutopilotPoint::recipe);
    return looked == points.end() ? m_found->chosen
                                  : std::optional(std::size_t(looked - points.begin()));
}

void AutopilotSession::setCurrent(std::size_t point)
{
    if (!m_found || point >= m_found->points.size())
        return;
    m_current = m_found->points[point].recipe;
    emit changed();
}

json AutopilotSession::remembered() const
{
    if (m_choice == AutopilotChoice())
        return {};
    return {{"budget", m_choice.budget},
            {"accuracy", m_choice.accuracy},
            {"seconds", m_choice.seconds},
            {"seed", m_choice.seed},
            {"kept", m_choice.kept}};
}

void AutopilotSession::restore(const json& state)
{
    if (!state.is_object())
        return;
    AutopilotChoice choice;
    const auto text = [&](const char* key, std::string& to) {
        if (const json found = state.value(key, json()); found.is_string())
            to = found.get<std::string>();
    };
    const auto number = [&](const char* key, int& to) {
        if (const json found = state.value(key, json()); found.is_number_integer())
            to = int(std::clamp<std::int64_t>(found.get<std::int64_t>(), 1, 100000));
    };
    text("budget", choice.budget);
    text("accuracy", choice.accuracy);
    text("kept", choice.kept);
    number("seconds", choice.seconds);
    number("seed", choice.seed);
    setChoice(std::move(choice));
}

} // namespace lapidary
