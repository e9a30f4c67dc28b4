// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace lapidary {

using ItemSet = std::unordered_set<ItemId>;
using ItemSetPtr = std::shared_ptr<const ItemSet>;

// Small signs at a box's corner. A box may carry several.
struct ItemMarks {
    bool input = false; // marked by the user
    bool output = false;
    bool problem = false;
    bool warning = false;
    bool match = false;    // a step would rewrite it
    bool nearMiss = false; // a step looks for it but would leave it unchanged

    bool any() const { return input || output || problem || warning || match || nearMiss; }
    bool operator==(const ItemMarks&) const = default;
};

// The number of nodes of a box that differ from another graph, by kind.
struct DifferenceCounts {
    std::uint32_t added = 0;
    std::uint32_t removed = 0;
    std::uint32_t changed = 0;
    std::uint32_t renamed = 0;

    bool operator==(const DifferenceCounts&) const = default;
};
using DifferenceMarks = std::unordered_map<ItemId, DifferenceCounts>;

// A measured value of an item, and its text on the box: "13.4 ms · 36.3 %".
struct OverlayFace {
    double value = 0;
    std::string text;
};
using OverlayFaces = std::unordered_map<ItemId, OverlayFace>;

// Maps values to a ramp from dark to light; every value up to `least` is darkest. A two-sided scale
// maps -most..most to a ramp from one hue through the canvas color to another.
struct OverlayScale {
    enum class Kind { Logarithmic, Linear, TwoSided };
    double least = 0;
    double most = 0;
    Kind kind = Kind::Logarithmic;

    double position(double value) const; // 0..1, two-sided -1..1
    bool operator==(const OverlayScale&) const = default;
};

// The meaning of colors other than op families: a class for each item (a device, a dtype, one kind
// of repeated structure), or a measured value. Items without either are neutral.
struct Coloring {
    std::unordered_map<ItemId, std::uint16_t> classOf;
    std::shared_ptr<const OverlayFaces> overlay; // not null: colors show these values, on `scale`
    OverlayScale scale;
    bool isSummed = true; // a group shows the sum of its boxes' values, else the largest one

    const OverlayFace* face(ItemId item) const; // null if there is no value
};
using ColoringPtr = std::shared_ptr<const Coloring>;

// Everything about a picture that the scene does not hold.
struct PictureState {
    ItemId selected;
    ItemId hovered;
    ItemSet chosen; // further items with a ring: a path, or the members of a class
    ItemSetPtr lit; // not null: everything else is dimmed to 25 %
    ItemSet hits;   // hits of a search
    ItemId currentHit;
    std::unordered_map<ItemId, ItemMarks> marks;
    ColoringPtr coloring; // null: colors show op families
    // differences by box; null: no comparison
    std::shared_ptr<const DifferenceMarks> differences;
};

} // namespace lapidary
