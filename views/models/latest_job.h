// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"

#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QThreadPool>
#include <QtConcurrentRun>

#include <exception>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace lapidary {

// Background work of which only the newest answer matters (layout, search, statistics). start()
// asks the previous run to stop and drops its answer. `work` gets a Job and must not touch `this`
// or any widget; `done` runs on this object's thread and is never called after this object is
// destroyed. With a pool of one thread, runs follow one another.
class LatestJob : public QObject {
    Q_OBJECT
public:
    explicit LatestJob(QObject* parent = nullptr, QThreadPool* pool = nullptr)
        : QObject(parent)
        , m_pool(pool != nullptr ? pool : QThreadPool::globalInstance())
    {
    }
    ~LatestJob() override { m_stop.request_stop(); }
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    template <class Work, class Done>
    void start(Work work, Done done)
    {
        using Answer = std::invoke_result_t<Work, const Job&>;
        static_assert(std::is_constructible_v<Answer, Error>, "work must return a Result");
        const std::stop_token stop = restart();
        auto* watcher = new QFutureWatcher<Answer>(this);
        reportProgress(watcher, stop);
        connect(watcher, &QFutureWatcherBase::finished, this,
                [this, watcher, stop, done = std::move(done)] {
                    watcher->deleteLater();
                    if (stop.stop_requested())
                        return;
                    setRunning(false);
                    done(watcher->future().takeResult());
                });
        setRunning(true);
        watcher->setFuture(QtConcurrent::run(
            m_pool, [work = std::move(work), stop](QPromise<Answer>& promise) mutable {
                runInto(promise, work, stop);
            }));
    }

    // The work notices this when it next checks its job; its answer is dropped at once.
    void cancel()
    {
        m_stop.request_stop();
        setRunning(false);
    }
    bool isRunning() const { return m_isRunning; }

signals:
    void progressed(int permille); // at most 25 a second, however often `work` reports
    void runningChanged(bool isRunning);

private:
    template <class Answer, class Work>
    static void runInto(QPromise<Answer>& promise, Work& work, const std::stop_token& stop)
    {
        promise.setProgressRange(0, 1000);
        const auto report = [&promise](double f) { promise.setProgressValue(int(f * 1000)); };
        try {
            if (stop.stop_requested())
                promise.addResult(Answer(cancelledError()));
            else
                promise.addResult(work(Job{stop, report}));
        } catch (const std::exception& e) { // bad_alloc on a huge tensor, for example
            promise.addResult(Answer(Error{ErrorCode::Internal, e.what()}));
        }
    }

    std::stop_token restart(); // asks the previous run to stop
    void reportProgress(QFutureWatcherBase* watcher, const std::stop_token& stop);
    void setRunning(bool isRunning);

    QThreadPool* m_pool;
    std::stop_source m_stop{std::nostopstate};
    bool m_isRunning = false;
};

} // namespace lapidary
