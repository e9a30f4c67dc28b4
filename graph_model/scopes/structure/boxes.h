// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/structure/flow.h"

#include <optional>

namespace lapidary::structure {

struct Part {
    bool isBox = false;
    std::uint32_t index = 0; // index of a box, or of an item of the flow
};

// The way a box was found, which decides its name, kind and reason.
enum class Way : std::uint8_t {
    Root,
    Leaf,
    Chain,
    Parallel,
    Narrow,
    Balanced,
    Sequence,
    Run,
    SideCone,
    Light,
    Section,
    Forward,
    Backward,
    Loop,
    Condition,
    Shared,
    Ordered,
    Loose,
};

struct Box {
    std::vector<Part> parts;
    Way way = Way::Leaf;
    std::uint64_t label = 0;   // equal for boxes of equal content and wiring; 0: unknown
    std::uint64_t family = 0;  // equal if the ops with weights are
    bool splices = false;      // its parts may replace it in its parent
    std::uint32_t section = 0; // number of `sections`
    std::uint32_t sections = 0;
};

struct BoxTree {
    std::vector<Box> boxes; // 0 is the root

    std::uint32_t add(Way way)
    {
        boxes.emplace_back().way = way;
        return std::uint32_t(boxes.size() - 1);
    }
};

} // namespace lapidary::structure
