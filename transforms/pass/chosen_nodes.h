// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The parameters of passes that edit single nodes.
inline constexpr ParameterSpec nodeParameter{.name = "name",
                                             .type = ParameterType::String,
                                             .role = ParameterRole::Target,
                                             .help = "a node",
                                             .isRepeated = true};
inline constexpr ParameterSpec scopeParameter{
    .name = "scope",
    .type = ParameterType::String,
    .role = ParameterRole::Scope,
    .help = "every node in this scope, as in \"block1/unit2\"",
    .isRepeated = true};

// Finds the node of that name; the error suggests a similar name.
Result<NodeId> namedNode(const Graph& graph, const std::string& name);

// Returns the nodes that the parameters `name` and `scope` select, each once, in the order of the
// graph. Error: a name or scope that does not exist, or neither parameter; `pass` is the pass's
// name for the message. O(nodes * scopes).
Result<std::vector<NodeId>> chosenNodes(const Graph& graph, const Parameters& parameters,
                                        std::string_view pass);

// Returns one finding for each node that chosenNodes() returns. `fault` returns why a node has to
// stay as it is, or an empty string.
Result<Findings> chosenFindings(const Graph& graph, const Parameters& parameters,
                                std::string_view pass,
                                std::string (*fault)(const Graph& graph, NodeId id));
// Returns "its output 1 is read by y" if more than the first output of the node is read, else an
// empty string.
std::string laterOutputReader(const Graph& graph, NodeId id);

// Returns one finding for each of the nodes.
Findings findingsOf(const std::vector<NodeId>& nodes);

} // namespace lapidary
