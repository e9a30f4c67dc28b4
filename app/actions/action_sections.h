// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

#include <string>
#include <vector>

namespace lapidary {

// The actions of one menu, in the order of the tables; `actions` point into the tables.
struct ActionSection {
    std::string title; // "View", which includes the actions of "View/Color by"
    std::vector<const ActionSpec*> actions;
};

// Returns all actions by the section of their menu; one that is in no menu joins those whose IDs
// begin alike ("graph.up" in "Graph").
std::vector<ActionSection> actionSections(ActionTables tables);

// Returns the handbook's tables of all actions with their keys, in Markdown: one for each section.
// Keys that act only while the canvas has the focus are in italics.
std::string keysPage(ActionTables tables);

} // namespace lapidary
