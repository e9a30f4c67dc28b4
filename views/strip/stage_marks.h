// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/picture_state.h"
#include "views/strip/stages.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

// How a stage is painted where colors do not show op families.
struct StageColor {
    std::optional<double> position;       // on the ramp of an overlay
    bool isTwoSided = false;              // that ramp is for values with a sign
    std::optional<std::uint16_t> ofClass; // the class that all of it shares; neither: neutral
    std::string text;                     // "13.4 ms · 36.3 %"
};

// Marks of a stage that do not come from the network itself.
struct StageMarks {
    std::uint32_t hits = 0; // of a search
    bool isCurrentHit = false;
    DifferenceCounts differences;
    std::optional<StageColor> color; // nothing: its op family
};

// The color of each stage under a coloring of the picture; that of a stage of several items is made
// of theirs.
std::optional<StageColor> colorOfStage(const Stage& stage, const ColoringPtr& coloring);
// Counts nodes by stage.
void countHits(std::vector<StageMarks>& marks, const Stages& stages, std::span<const NodeId> hits,
               NodeId current);

} // namespace lapidary
