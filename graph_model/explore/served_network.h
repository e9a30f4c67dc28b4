// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <optional>

namespace lapidary {

// Returns the network of a TensorFlow 2 file, which stores it in functions and a graph that calls
// them, as one graph: the nodes that the outputs of the served signature need, each call replaced
// by the nodes of its function, with the variables and inputs of the caller as arguments. The
// signature is the only one of the entry; an output that a call computes is an Identity named like
// its key. Loops and branches that call functions stay, and so do recursive calls. The result is
// for display: names are those of layers, without the calls around them, and nodes with only an
// effect are left out; the pass inline_functions makes a graph that runs as before.
// A graph without signatures that consists of one call is treated in the same way. If the graph
// neither computes nor calls anything that does, as in a network that was loaded and saved again,
// the network is the function that computes most, with the constants and variables that it was
// traced with. Returns nothing if no call computes an output.
std::optional<GraphEntry> servedNetwork(const GraphEntry& entry);

// Returns the network of a file without a signature whose graph neither computes nor calls anything
// that does; see servedNetwork(). Nothing for other files.
std::optional<GraphEntry> uncalledNetwork(const GraphEntry& entry);

// Returns the signature that determines this, with the names of the file: one of the entry's, or,
// if it has none, the arguments and results of its one call.
std::optional<Signature> servedSignature(const GraphEntry& entry);

} // namespace lapidary
