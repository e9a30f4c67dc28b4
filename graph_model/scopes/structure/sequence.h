// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/structure/level.h"

namespace lapidary::structure {

// The atoms of one half of a level, ordered so that equal modules are equal contiguous strings:
// depth-first from the outputs, nodes with readers everywhere first.
struct Sequence {
    struct Input {
        std::uint32_t source; // position; always before the reader
        bool isHub;
    };
    std::vector<std::uint32_t> element; // of the level, at each position
    std::vector<std::uint64_t> label;   // op and kinds of inputs
    std::vector<std::uint64_t> family;  // label without sizes
    std::vector<std::uint64_t> detail;  // label and attributes, for ties
    std::vector<std::uint64_t> anchor;  // hash of the op if it holds weights, else 0
    std::vector<LayerSide> side;
    std::vector<bool> isActivation;
    std::vector<bool> readsHub;
    Rows<Input> inputs;
    std::vector<std::uint32_t> last; // position of the last reader; for a hub, its own position
    // number of tensors live between a position and the next, without hubs
    std::vector<std::uint32_t> width;

    std::uint32_t size() const { return std::uint32_t(element.size()); }
};

// O(n + wires), plus sorting the outputs.
Sequence orderHalf(const Level& level, bool backward);

} // namespace lapidary::structure
