// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "runner/profile/profile_sums.h"
#include "views/canvas/paint/picture_state.h"
#include "views/layout/scene.h"

#include <QString>

namespace lapidary {

enum class ProfileMeasure { Time, Memory, Flops };

// Returns one measure of a sum as a number for the scale: nanoseconds of all runs, bytes,
// FLOPs.
double measured(const ProfileSum& sum, ProfileMeasure measure);
// Returns "12.3 ms" (of one run), "9.6 MB", "1.2 GFLOP".
QString measureText(double value, ProfileMeasure measure, std::int64_t runs);

// Returns a coloring with the number and share of every node and group that was measured.
// scaledTo() sets its scale.
ColoringPtr overlayColors(const ProfileSums& sums, ProfileMeasure measure, const Job& job);
// Returns the coloring with a scale for what is drawn: up to the largest value of a box, of the
// same kind as before.
ColoringPtr scaledTo(const ColoringPtr& overlay, const Scene& scene);

} // namespace lapidary
