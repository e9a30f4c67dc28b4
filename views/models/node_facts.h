#pragma once

#include "graph_model/graph/function.h"
#include "graph_model/scopes/prepared_scope.h"
#include "runner/shapes/known_tensor.h"

#include <QString>

#include <cstddef>
#include <string>
#include <vector>

namespace lapidary {

// What activating a fact asks for.
struct FactLink {
    enum class Kind { None, Item, Function, ShowAlone, Ungroup, Op, State };
    Kind kind = Kind::None;
    ItemId item;      // Item: go there; ShowAlone: the node
    std::string text; // Function: its name; Ungroup: the group's path; Op: the op; State: a node
    std::size_t steps = 0; // State: how many steps of the recipe lead to the graph of that node
};

// One line of the node panel.
struct Fact {
    QString key; // muted, in front
    QString value;
    QString detail; // muted, at the right edge
    QString tip;    // all of it, where value or detail are short forms
    FactLink link;
};
struct FactSection {
    QString title;
    QString detail;
    std::vector<Fact> facts;
};
using FactSections = std::vector<FactSection>;

// Everything known of one node: attributes, op signature, inputs, outputs, readers, what is folded
// into it and why, the functions it calls, and what contradicts its shapes. `shapes` may be null.
// Lists of thousands end with a line that says how many more.
FactSections nodeFacts(const Preparation& preparation, NodeId id,
                       const InferredShapes* shapes = nullptr);
// Everything known of a group: what made it, what is in it.
FactSections groupFacts(const Preparation& preparation, GroupId id);

} // namespace lapidary
