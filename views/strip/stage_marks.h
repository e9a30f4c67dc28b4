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

// The color of a stage while colors do not show op families.
struct StageColor {
    std::optional<double> position;       // on the ramp of an overlay
    bool isTwoSided = false;              // the ramp is for values with a sign
    std::optional<std::uint16_t> ofClass; // the class of all its items; if there is no position
                                          // either: neutral
    std::string text;                     // "13.4 ms · 36.3 %"
};

// Marks of a stage that do not come from the network itself.
struct StageMarks {
    std::uint32_t hits = 0; // of a search
    bool isCurrentHit = false;
    DifferenceCounts differences;
    std::optional<StageColor> color; // none: the color of its op family
};

// Returns the color of a stage under a coloring of the picture, combined from those of its items;
// none without a coloring.
std::optional<StageColor> colorOfStage(const Stage& stage, const ColoringPtr& coloring);
// Adds the hits of a search to the marks, by stage; `current` is the current hit.
void countHits(std::vector<StageMarks>& marks, const Stages& stages, std::span<const NodeId> hits,
               NodeId current);

} // namespace lapidary
