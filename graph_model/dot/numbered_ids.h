#pragma once

#include <graphviz/cgraph.h>

namespace lapidary {

// Names of cgraph's objects, numbered in the order they were made. cgraph's own way numbers them by
// address and writes clusters in that order, so that no two texts were the same.
Agiddisc_t* numberedIds();

} // namespace lapidary
