// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <optional>

namespace lapidary {

// A file of TensorFlow 2 holds its network in functions, and a graph that calls them. Returns the
// network of the signature that is served as one graph: what its outputs need, each call replaced
// by the nodes of its function, with the variables and inputs of the caller in the place of
// arguments. The signature is the entry's only one; an output that a call computes is an Identity
// named like its key. Loops and branches that call functions stay as they are, and so do calls that
// never end. It is made to be looked at: names are those of layers, without the calls around them,
// and what is there for its effect alone is left out; the pass inline_functions makes a graph that
// runs as before. A graph without signatures that is nothing but a call is opened in the same way.
// Where the graph neither computes nor calls anything that does, as in a network that was loaded
// and saved again, the function that computes most is the network. Returns nothing where no output
// is computed by a call.
std::optional<GraphEntry> servedNetwork(const GraphEntry& entry);

// Returns the signature that decides this, with the names of the file: one of the entry's, or,
// where that has none, what its one call takes and returns.
std::optional<Signature> servedSignature(const GraphEntry& entry);

} // namespace lapidary
