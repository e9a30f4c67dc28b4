// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/profile/overlay_colors.h"
#include "graph_model/scopes/prepared_scope.h"
#include "graph_model/shapes/known_tensor.h"
#include "views/canvas/paint/picture_state.h"

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

enum class ColorMode {
    OpFamily,
    Structure,
    Device,
    DType,
    Time,
    Memory,
    Flops,
    Target,
    TwoRuns,
    Data
};
// Returns the measure of a profile that a mode paints; none for modes that do not paint one.
std::optional<ProfileMeasure> measureOf(ColorMode mode);

struct ColorClasses {
    ColoringPtr coloring; // null: by op family
    // Names of the classes, for the legend: "×4 conv_block"; empty if there is no such class.
    std::vector<std::string> names;
    std::string others; // the meaning of items without a class, for the legend; empty: none
    ProfileMeasure measure = ProfileMeasure::Time; // of an overlay
    std::int64_t runs = 1;                         // number of runs that the values are summed over
    bool isOfOther = false; // its values were measured on another state of the graph
    // The name and the unit of numbers that are not a ProfileMeasure.
    struct Numbers {
        std::string name;
        std::string unit;
    };
    std::optional<Numbers> numbers = {};
};

// Returns classes for every node and group: the device a node is placed on, the type of its first
// output, or the groups of the same structure; nothing for modes of other sources. A group has a
// class only if all of its nodes share it. `shapes` may be null.
ColorClasses colorClasses(ColorMode mode, const Preparation& preparation,
                          const InferredShapes* shapes, const Job& job);

} // namespace lapidary
