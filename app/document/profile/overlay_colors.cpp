// SPDX-License-Identifier: Apache-2.0
#include "app/document/profile/overlay_colors.h"

#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Ratio of the largest to the smallest value of a logarithmic scale.
constexpr double decades = 1000;

OverlayScale scaleOf(const Coloring& overlay, const Scene& scene)
{
    std::optional<double> least;
    std::optional<double> most;
    for (const SceneBox& box : scene.boxes) {
        const bool isShown = box.kind == BoxKind::Op || box.kind == BoxKind::Group;
        const OverlayFace* face = isShown ? overlay.face(box.item) : nullptr;
        if (face == nullptr)
            continue;
        least = std::min(least.value_or(face->value), face->value);
        most = std::max(most.value_or(face->value), face->value);
    }
    const OverlayScale::Kind kind = overlay.scale.kind;
    const double end = most.value_or(0);
    const double begin = least.value_or(0);
    switch (kind) {
    case OverlayScale::Kind::Linear: return {begin, end, kind};
    case OverlayScale::Kind::TwoSided: {
        const double reach = std::max(std::abs(begin), std::abs(end));
        return {-reach, reach, kind};
    }
    case OverlayScale::Kind::Logarithmic: break;
    }
    const double reach = std::max(end, 0.0);
    return {reach / decades, reach, kind};
}

} // namespace

double measured(const ProfileSum& sum, ProfileMeasure measure)
{
    switch (measure) {
    case ProfileMeasure::Time: return double(sum.nanoseconds);
    case ProfileMeasure::Memory: return double(sum.bytes);
    case ProfileMeasure::Flops: break;
    }
    return double(sum.flops);
}

QString measureText(double value, ProfileMeasure measure, std::int64_t runs)
{
    switch (measure) {
    case ProfileMeasure::Time: return timeText(value / double(std::max<std::int64_t>(runs, 1)));
    case ProfileMeasure::Memory: return bytesText(std::uint64_t(std::max(value, 0.0)));
    case ProfileMeasure::Flops: break;
    }
    return flopsText(std::int64_t(value));
}

ColoringPtr overlayColors(const ProfileSums& sums, ProfileMeasure measure, const Job& job)
{
    auto faces = std::make_shared<OverlayFaces>();
    const double all = measured(sums.all(), measure);
    const std::int64_t runs = sums.profile().runs;
    const auto add = [&](ItemId item) {
        const ProfileSum sum = sums.of(item);
        if (sum.nodes == 0)
            return;
        const double value = measured(sum, measure);
        const QString text = measureText(value, measure, runs) +
                             (all > 0 ? u" \u00B7 %1"_s.arg(shareText(value / all)) : QString());
        (*faces)[item] = {value, text.toStdString()};
    };
    for (std::size_t row = 0; row < sums.profile().nodes.size(); ++row) {
        if (row % 1024 == 0 && job.cancelled())
            return {};
        if (const NodeId id = sums.nodeOf(row); id.isValid())
            add(ItemId::of(id));
    }
    for (std::uint32_t g = 0; g < sums.tree().size(); ++g)
        add(ItemId::of(GroupId{g}));
    auto coloring = std::make_shared<Coloring>();
    coloring->overlay = std::move(faces);
    return coloring;
}

ColoringPtr scaledTo(const ColoringPtr& overlay, const Scene& scene)
{
    if (!overlay || !overlay->overlay)
        return overlay;
    const OverlayScale scale = scaleOf(*overlay, scene);
    if (scale == overlay->scale)
        return overlay;
    auto scaled = std::make_shared<Coloring>(*overlay);
    scaled->scale = scale;
    return scaled;
}

} // namespace lapidary
