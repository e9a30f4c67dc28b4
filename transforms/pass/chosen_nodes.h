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

// The node of that name; the error names one that was probably meant.
Result<NodeId> namedNode(const Graph& graph, const std::string& name);

// The nodes that `name` and `scope` give, each once, in the order of the graph. A name or scope
// that is not there is an error, and so is giving none; `pass` is for its message. O(nodes *
// scopes).
Result<std::vector<NodeId>> chosenNodes(const Graph& graph, const Parameters& parameters,
                                        std::string_view pass);

// One finding for each of the nodes that chosenNodes() returns, with the reason that `fault`
// returns if the node has to stay as it is, else empty.
Result<Findings> chosenFindings(const Graph& graph, const Parameters& parameters,
                                std::string_view pass,
                                std::string (*fault)(const Graph& graph, NodeId id));
// Returns "its output 1 is read by y" for a node of which not only the first output is read; empty
// for others.
std::string laterOutputReader(const Graph& graph, NodeId id);

// One finding for each of the nodes.
Findings findingsOf(const std::vector<NodeId>& nodes);

} // namespace lapidary
