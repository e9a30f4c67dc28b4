// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/functions/expander.h"

namespace lapidary {

// Each expands one kind of node that calls functions. Expander::fault() of the node has to be
// empty.
Status expandCall(Expander& expander, const ExpansionSite& site);
Status expandBranch(Expander& expander, const ExpansionSite& site);
Status expandLoop(Expander& expander, const ExpansionSite& site);

// Return why the functions do not suit a node of this kind; empty if they do. `called`: bound, in
// the order of calledBy().
std::string callFault(const Node& node, const std::vector<BoundFunction>& called);
std::string branchFault(const Node& node, const std::vector<BoundFunction>& called);
std::string loopFault(const Node& node, const std::vector<BoundFunction>& called);

} // namespace lapidary
