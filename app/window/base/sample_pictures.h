// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"
#include "views/models/latest_job.h"

#include <QImage>
#include <QObject>
#include <QStringList>

#include <map>

namespace lapidary {

// Small pictures of files for the start page, made one after the other in the background. A file
// without a picture is skipped.
class SamplePictures : public QObject {
    Q_OBJECT
public:
    explicit SamplePictures(QThreadPool& pool, QObject* parent = nullptr);

    void request(const QStringList& paths); // those that were not made yet
    void stop();
    bool isBusy() const { return m_job.isRunning(); }
    QImage picture(const QString& path, bool isDark) const; // null: not made yet

signals:
    void pictureMade(const QString& path);

private:
    void next();

    LatestJob m_job;
    QStringList m_waiting;
    std::map<QString, ScenePtr> m_scenes; // null: no picture can be made
};

} // namespace lapidary
