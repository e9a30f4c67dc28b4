// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/coloring.h"
#include "views/models/latest_job.h"

#include <QObject>

namespace lapidary {

class DocumentWork;
class Picture;
class ProfileSession;

// How a picture is colored: by class, or by what a profile measured.
class PictureColors : public QObject {
    Q_OBJECT
public:
    PictureColors(DocumentWork& work, const Picture& picture, const ProfileSession& profile,
                  QObject* parent = nullptr);

    ColorMode mode() const { return m_mode; }
    void setMode(ColorMode mode);
    const ColorClasses& classes() const { return m_classes; }
    void renew(); // for another graph, or other shapes

signals:
    void changed();

private:
    void followProfile();
    void renewOverlay(ProfileMeasure measure);
    void setClasses(ColorClasses classes);
    void rescale();

    const Picture& m_picture;
    const ProfileSession& m_profile;
    ColorMode m_mode = ColorMode::OpFamily;
    ColorClasses m_classes;
    LatestJob m_job;
};

} // namespace lapidary
