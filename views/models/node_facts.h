// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "graph_model/scopes/prepared_scope.h"
#include "graph_model/shapes/known_tensor.h"

#include <QString>

#include <cstddef>
#include <string>
#include <vector>

namespace lapidary {

// The request that activating a fact sends.
struct FactLink {
    enum class Kind { None, Item, Function, ShowAlone, Ungroup, Op, State };
    Kind kind = Kind::None;
    ItemId item;      // Item: go there; ShowAlone: the node
    std::string text; // Function: its name; Ungroup: the group's path; Op: the op; State: a node
    std::size_t steps = 0; // State: number of recipe steps that lead to the graph of that node
};

// One line of the node panel.
struct Fact {
    QString key; // muted, at the left
    QString value;
    QString detail; // muted, at the right edge
    QString tip;    // the full text, if value or detail are abbreviated
    FactLink link;
    qsizetype common = 0; // length of the beginning of the value that only repeats the node's own
                          // scope
};
struct FactSection {
    QString title;
    QString detail;
    std::vector<Fact> facts;
};
using FactSections = std::vector<FactSection>;

// Returns everything known of one node: attributes, op signature, inputs, outputs, readers, the
// nodes folded into it and why, the functions it calls, and contradictions of its shapes. `shapes`
// may be null. Lists of thousands end with a line that says how many more there are.
FactSections nodeFacts(const Preparation& preparation, NodeId id,
                       const InferredShapes* shapes = nullptr);
// Returns everything known of a group: how it was found, and its contents.
FactSections groupFacts(const Preparation& preparation, GroupId id);

} // namespace lapidary
