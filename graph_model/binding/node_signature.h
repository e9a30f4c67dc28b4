// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/ops/op_registry.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lapidary {

// These functions resolve an op's signature for one node, whose attributes determine counts and
// dtypes. Missing attributes have the op's default. They return nothing (or Invalid) if such an
// attribute is missing, of another kind, an unbound placeholder, or out of range.

// Returns the number of tensors of one argument: 1, N, or the length of a list of types.
std::optional<std::int64_t> argumentLength(const Node& node, const OpSpec& op, const ArgSpec& arg);
std::optional<std::int64_t> inputLength(const Node& node, const OpSpec& op);
std::optional<std::int64_t> outputLength(const Node& node, const OpSpec& op);

// Return the dtype of the tensor at a flattened position; references as reference types.
DType inputDtype(const Node& node, const OpSpec& op, std::int64_t position);
DType outputDtype(const Node& node, const OpSpec& op, std::int64_t port);
// Returns whether an output is a reference. Lists of types have none, and are not read, so that
// asking for each of many outputs takes no longer than it must.
bool givesReference(const Node& node, const OpSpec& op, std::int64_t port);

// Return all of them at once, for nodes with many; empty if the length is unknown or exceeds the
// number of the node's inputs, or 65,536 outputs that are not listed one by one.
std::vector<DType> inputDtypes(const Node& node, const OpSpec& op);
std::vector<DType> outputDtypes(const Node& node, const OpSpec& op);
// Returns the output dtypes of an op with a list of output types, which outputDtype() would read
// again for each port; empty for other ops.
std::vector<DType> listedOutputDtypes(const Node& node, const OpSpec& op);

// Returns the flattened port of "output argument, index within it", as written in function bodies.
std::optional<std::int64_t> outputPort(const Node& node, const OpSpec& op, std::string_view output,
                                       std::int64_t index);

} // namespace lapidary
