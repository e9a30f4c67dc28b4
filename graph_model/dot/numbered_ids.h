// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <graphviz/cgraph.h>

namespace lapidary {

// Names of cgraph's objects, numbered in the order of their creation. cgraph itself numbers them by
// address and writes clusters in that order, so that the text would change from run to run.
Agiddisc_t* numberedIds();

// Does agnode() for a graph with numberedIds(), for any name. cgraph keeps names that begin with a
// percent sign in a table of its own, which it loses as soon as one cluster is closed.
Agnode_t* namedNode(Agraph_t* graph, const char* name, bool create);

} // namespace lapidary
