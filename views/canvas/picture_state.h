#pragma once

#include "graph_model/scopes/scope_tree.h"

#include <cstdint>
#include <memory>
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

// What colours mean instead of op families: a class for each item (a device, a dtype, one kind of
// repeated structure). Items without a class are neutral.
struct Colouring {
    std::unordered_map<ItemId, std::uint16_t> classOf;
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
    ColouringPtr colouring; // null: by op family
};

} // namespace lapidary
