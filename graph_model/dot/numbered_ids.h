#pragma once

#include <graphviz/cgraph.h>

namespace lapidary {

// Names of cgraph's objects, numbered in the order they were made. cgraph's own way numbers them by
// address and writes clusters in that order, so that no two texts were the same.
Agiddisc_t* numberedIds();

// agnode() of a graph with numberedIds(), for any name: what begins with a per cent sign cgraph
// keeps in a table of its own, which it loses as soon as one cluster is closed.
Agnode_t* namedNode(Agraph_t* graph, const char* name, bool create);

} // namespace lapidary
