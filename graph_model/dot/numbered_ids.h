// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <graphviz/cgraph.h>

namespace lapidary {

// Returns a discipline that numbers cgraph's objects in the order of their creation. By default
// cgraph numbers them by address and writes clusters in that order, so that the text would change
// from run to run.
Agiddisc_t* numberedIds();

// Same as agnode(), for a graph with numberedIds() and any name. By itself, cgraph keeps names that
// begin with a percent sign in a separate table, which it loses as soon as one cluster is closed.
Agnode_t* namedNode(Agraph_t* graph, const char* name, bool create);

} // namespace lapidary
