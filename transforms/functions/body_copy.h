// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/functions/expander.h"

namespace lapidary {

// The names and inputs of one copy of a function's body.
struct BodySite {
    std::string prefix; // of the names: "prefix/node"
    std::string device; // of nodes that ask for none
    struct Argument {
        std::string text; // the input of nodes that read the argument
        Effects effects = Effects::None;
        bool holds = false; // arrives only when the body may run
    };
    std::vector<Argument> arguments;
    // Control inputs of nodes that would otherwise run too early.
    std::vector<std::string> holds;
    // The body is within a branch or loop: constants have to be held too.
    bool inTurn = false;
    // Copies only what results and control results need; else every node with an effect too.
    bool prunes = false;
};

struct CopiedBody {
    std::vector<std::string> results;
    // Control inputs for readers of the results: effects of the body, or before its arguments, that
    // some result does not wait for itself, and BodySite::holds if a result is not held.
    std::vector<std::string> waits;
};

// Adds the nodes of a bound function's body. Nodes in it that concern the expander are expanded
// too. O(nodes * results).
Result<CopiedBody> copyBody(Expander& expander, const BoundFunction& function,
                            const BodySite& site);

} // namespace lapidary
