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
    bool nearMiss = false; // a step looks for it, and would leave it alone

    bool any() const { return input || output || problem || warning || match || nearMiss; }
    bool operator==(const ItemMarks&) const = default;
};

// How many nodes that a box stands for differ from another graph, and in what way.
struct DifferenceCounts {
    std::uint32_t added = 0;
    std::uint32_t removed = 0;
    std::uint32_t changed = 0;
    std::uint32_t renamed = 0;

    bool operator==(const DifferenceCounts&) const = default;
};
using DifferenceMarks = std::unordered_map<ItemId, DifferenceCounts>;

// A measured value of an item, and how its face says it: "13.4 ms · 36.3 %".
struct OverlayFace {
    double value = 0;
    std::string text;
};
using OverlayFaces = std::unordered_map<ItemId, OverlayFace>;

// From dark to light: logarithmic, everything up to `least` is the darkest.
struct OverlayScale {
    double least = 0;
    double most = 0;

    double position(double value) const; // 0..1
    bool operator==(const OverlayScale&) const = default;
};

// What colours mean instead of op families: a class for each item (a device, a dtype, one kind of
// repeated structure), or a measured value. Items without either are neutral.
struct Colouring {
    std::unordered_map<ItemId, std::uint16_t> classOf;
    std::shared_ptr<const OverlayFaces> overlay; // not null: by value, on `scale`
    OverlayScale scale;

    const OverlayFace* face(ItemId item) const; // null where there is no value
};
using ColouringPtr = std::shared_ptr<const Colouring>;

// Everything about a picture that is not in the scene.
struct PictureState {
    ItemId selected;
    ItemId hovered;
    ItemSet chosen; // further items with a ring: a path, the members of a class
    ItemSetPtr lit; // not null: everything else is dimmed to 25 %
    ItemSet hits;   // of a search
    ItemId currentHit;
    std::unordered_map<ItemId, ItemMarks> marks;
    ColouringPtr colouring;                             // null: by op family
    std::shared_ptr<const DifferenceMarks> differences; // of boxes; null: nothing is compared
};

} // namespace lapidary
