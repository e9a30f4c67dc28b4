// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/colors/coloring.h"
#include "app/document/picture/graph_view.h"
#include "runner/profile/node_profile.h"
#include "views/models/latest_job.h"

#include <QObject>

namespace lapidary {

class DataSession;
class DeltaSession;
class DocumentWork;
class Picture;
class ProfileSession;
class TargetSession;
struct Target;

// What a picture can be colored by; all of it outlives the colors.
struct ColorSources {
    const Picture& picture;
    const ProfileSession& profile;
    const DeltaSession& delta;
    const TargetSession& target;
    const DataSession& data;
};

// The coloring of a picture: by class, by measured or estimated costs, by differences from another
// profile, by what a target lacks, or by node data.
class PictureColors : public QObject {
    Q_OBJECT
public:
    PictureColors(DocumentWork& work, const ColorSources& sources, QObject* parent = nullptr);

    ColorMode mode() const { return m_mode; }
    void setMode(ColorMode mode);
    const ColorClasses& classes() const { return m_classes; }
    void renew(); // for another graph, or other shapes

signals:
    void changed();

private:
    void followProfile();
    void followDelta();
    void followTarget();
    void followData();
    void renewDelta();
    void renewTarget();
    void renewData();
    void renewOverlay(ProfileMeasure measure);
    void renewEstimate(ProfileMeasure measure);
    void setClasses(ColorClasses classes);
    void rescale();

    const Picture& m_picture;
    const ProfileSession& m_profile;
    const DeltaSession& m_delta;
    const TargetSession& m_target;
    const DataSession& m_data;
    ColorMode m_mode = ColorMode::OpFamily;
    const Target* m_shownTarget = nullptr; // the last target that the colors followed
    ColorClasses m_classes;
    NodeProfilePtr m_estimate; // the last one, for the graph of these shapes
    GraphShapesPtr m_estimatedFor;
    LatestJob m_job;
};

} // namespace lapidary
