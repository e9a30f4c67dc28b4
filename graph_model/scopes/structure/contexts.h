// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/structure/flow.h"

namespace lapidary::structure {

// The loops and conditions of a flow, as defined by its Enter, Exit, Switch and Merge ops. Context
// 0 is the whole flow; a context comes after its parent.
struct Contexts {
    struct Context {
        std::uint32_t parent = none;
        std::uint32_t depth = 0;
        bool isLoop = false;
        std::uint32_t opener = none; // the first item in it
    };
    std::vector<Context> contexts;
    std::vector<std::uint32_t> ofItem;
};

// O(items + wires).
Contexts findContexts(const Flow& flow, const ScopeDraft& draft);

} // namespace lapidary::structure
