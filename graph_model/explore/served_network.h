// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <optional>

namespace lapidary {

// A file of TensorFlow 2 holds its network in functions, and a graph that calls them. Returns the
// network of the signature that is served as one graph: what its outputs need, each call replaced
// by the nodes of its function, with the variables and inputs of the caller as arguments. The
// signature is the entry's only one; an output that a call computes is an Identity named like its
// key. Loops and branches that call functions stay as they are, and so do calls that never end.
// The result is for display: names are those of layers, without the calls around them, and nodes
// that only have an effect are left out; the pass inline_functions makes a graph that runs as
// before. A graph without signatures that consists of one call is treated in the same way. If the
// graph neither computes nor calls anything that does, as in a network that was loaded and saved
// again, the function that computes most is the network. Returns nothing if no call computes an
// output.
std::optional<GraphEntry> servedNetwork(const GraphEntry& entry);

// Returns the signature that decides this, with the names of the file: one of the entry's, or,
// where that has none, what its one call takes and returns.
std::optional<Signature> servedSignature(const GraphEntry& entry);

} // namespace lapidary
