// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

struct DifferenceList;

// Differences that belong together: a node with what replaced it, with its constants, and with the
// nodes that read the result under another name. The first one represents the change.
struct Change {
    std::vector<std::uint32_t> steps; // indices into DifferenceList::steps
    std::string rule;                 // "Conv2D quantized"
    std::string before;               // ops: "Conv2D", empty if there were none
    std::string after;                // "QuantizedConv2D", empty if nothing is left
};

// Changes of one kind in one part of the graph.
struct StoryRow {
    std::string rule;
    std::string scope;                  // empty: nodes without scope
    std::vector<std::uint32_t> changes; // indices into DifferenceStory::changes
};

// The changes to a graph, from the whole to the detail.
struct DifferenceStory {
    std::string summary; // "54 Conv2D quantized, 53 batch norms folded"; empty: nothing differs
    std::vector<Change> changes;             // along the data flow
    std::vector<StoryRow> rows;              // every change is in one of them
    std::vector<std::uint32_t> changeOfStep; // by step
};

// Returns "53 batch norms folded"; names of ops have no plural.
std::string ruleText(const std::string& rule, std::size_t count);

// Longer lists are shown as the rows of their story.
inline constexpr std::size_t longestPlainList = 40;

// Builds the story of the nodes that differ; `list` has its steps already. Added nodes belong to
// the node whose name is a prefix of theirs, constants to their reader. The number of rows limits
// the depth of the scopes. O(steps and their edges).
DifferenceStory tellStory(const DifferenceList& list);

} // namespace lapidary
