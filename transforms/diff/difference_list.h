// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/diff/difference_story.h"
#include "transforms/diff/graph_diff.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

enum class DifferenceKind : std::uint8_t {
    Added,
    Removed,
    Renamed,
    Op,
    Rewired,
    Attribute,
    DType,
    Shape,
    Device,
    Constant,
    Function,
    Library, // gradients, versions
};
inline constexpr int differenceKindCount = 12;
std::string_view differenceKindName(DifferenceKind kind); // "added", "type"

// All differences of a node, or of a function of the library.
struct Difference {
    NodeId before;                  // invalid: added, or not a node
    NodeId after;                   // invalid: removed, or not a node
    std::uint16_t kinds = 0;        // bits of DifferenceKind
    std::string name;               // as it is after, or was before
    std::string op;                 // likewise
    std::vector<std::string> texts; // one for each thing that differs: "dtype float -> quint8"

    bool is(DifferenceKind kind) const { return (kinds >> int(kind) & 1) != 0; }
};

// The differences of two graphs in the order in which the user steps through them: along the data
// flow, with removed nodes at their old position. Every node that differs is in it once.
struct DifferenceList {
    GraphPtr before;
    GraphPtr after;
    GraphDiff diff;
    std::vector<NodeId> counterpartsBefore; // for each node after, the node before; or invalid
    std::vector<Difference> steps;
    DifferenceStory story;
    std::array<std::size_t, differenceKindCount> counts{}; // number of entries of each kind

    NodeId counterpart(NodeId id, bool isBefore) const; // invalid: there is none
    bool isLong() const { return steps.size() > longestPlainList; }
    // Returns whether the user stops at this step. In a long list, one step of each change is
    // enough.
    bool isStop(std::size_t step) const;
};
using DifferenceListPtr = std::shared_ptr<const DifferenceList>;

Result<DifferenceListPtr> listDifferences(const GraphPtr& before, const GraphPtr& after,
                                          const Job& job);

} // namespace lapidary
