// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/picture_session.h"

#include "app/boxed/boxed_runs.h"
#include "app/document/base/remedy.h"
#include "graph_model/write/write_model.h"
#include "views/models/display_text.h"

#include <atomic>
#include <utility>

#include <nlohmann/json.hpp>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

struct PictureSession::Heard {
    std::atomic<std::size_t> done = 0;
    std::atomic<std::size_t> right = 0;
};

PictureSession::PictureSession(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_job(nullptr, pool)
{
    connect(&m_job, &LatestJob::runningChanged, this, &PictureSession::busyChanged);
    connect(&m_job, &LatestJob::progressed, this, [this](int permille) {
        emit progressed(permille);
        emit changed();
    });
}

void PictureSession::setChoice(FolderChoice choice)
{
    m_choice = std::move(choice);
    emit changed();
}

QString PictureSession::jobTitle() const
{
    return isBusy() ? m_title : QString();
}

RunningScore PictureSession::score() const
{
    return m_heard ? RunningScore{m_heard->done, m_heard->right} : RunningScore{};
}

void PictureSession::begin(QString title)
{
    m_title = std::move(title);
    m_heard = std::make_shared<Heard>();
    m_failure.clear();
}

void PictureSession::fail(const Error& error)
{
    if (error.code != ErrorCode::Cancelled)
        m_failure = plainText(messageForWindow(error));
    emit changed();
}

void PictureSession::evaluate(GraphEntry entry, std::string path, EvaluateTask task)
{
    begin(u"Evaluating"_s);
    m_found.reset();
    m_graph = entry.graph;
    m_job.start(
        [entry = std::move(entry), path = std::move(path), task = std::move(task),
         heard = m_heard](const Job& job) {
            const auto hear = [&heard](const RunningScore& score) {
                heard->right = score.right;
                heard->done = score.done;
            };
            return classifyBoxed(entry, path, task, hear, job);
        },
        [this](Result<FolderEvaluation> found) {
            if (!found)
                return fail(found.error());
            m_found = std::make_shared<const FolderEvaluation>(*std::move(found));
            emit changed();
        });
    emit changed();
}

void PictureSession::observe(GraphEntry entry, std::string path, ClassifyPlan plan, std::string log)
{
    begin(u"Observing ranges"_s);
    m_job.start(
        [entry = std::move(entry), path = std::move(path), plan = std::move(plan), log,
         images = m_choice.folder.images](const Job& job) -> Result<RangeObservation> {
            ASSIGN_OR_RETURN(auto seen, observeBoxed(entry, path, images, plan, {}, job));
            RETURN_IF_ERROR(writeFileAtomically(log, seen.log));
            return seen;
        },
        [this, log](Result<RangeObservation> seen) {
            if (!seen)
                return fail(seen.error());
            emit observed(QString::fromStdString(log), int(seen->ranges.size()),
                          int(seen->pictures));
            emit changed();
        });
    emit changed();
}

void PictureSession::refuse(const QString& why)
{
    m_job.cancel();
    m_failure = why;
    emit changed();
}

void PictureSession::cancel()
{
    m_job.cancel();
    emit changed();
}

nlohmann::json PictureSession::remembered() const
{
    const PictureFolder& folder = m_choice.folder;
    if (folder.images.empty() && folder.labels.empty())
        return {};
    return {{"images", folder.images},
            {"labels", folder.labels},
            {"truth", folder.truth},
            {"mean", m_choice.mean},
            {"std", m_choice.std}};
}

void PictureSession::restore(const nlohmann::json& state)
{
    if (!state.is_object())
        return;
    FolderChoice choice;
    const auto take = [&](const char* key, std::string& to) {
        if (const auto found = state.find(key); found != state.end() && found->is_string())
            to = found->get<std::string>();
    };
    take("images", choice.folder.images);
    take("labels", choice.folder.labels);
    take("truth", choice.folder.truth);
    const auto mean = state.find("mean");
    const auto std = state.find("std");
    if (mean != state.end() && std != state.end() && mean->is_number() && std->is_number()) {
        choice.mean = mean->get<float>();
        choice.std = std->get<float>();
    }
    setChoice(std::move(choice));
}

} // namespace lapidary
