// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A float op, the corresponding 8-bit op, and how to convert its nodes.
struct QuantizedOp {
    std::string_view op;
    std::string_view quantizedOp;
    std::vector<std::string_view> copiedAttrs;
    std::vector<std::string_view> byteAttrs;    // set to quint8
    std::string_view wordAttr;                  // set to qint32: the result is wide
    bool separatesRanges = false;               // all minima, then all maxima
    std::vector<std::size_t> unquantizedInputs; // shapes and axes

    bool isWide() const { return !wordAttr.empty(); }
    bool isQuantized(std::size_t input) const;
};

// Null if there is none.
const QuantizedOp* findQuantizedOp(std::string_view op);
std::span<const QuantizedOp> allQuantizedOps(); // sorted by op

// Returns why a node of such an op cannot be converted: types, layouts or options that the 8-bit op
// does not have. Empty if it can.
std::string quantizeFault(const Graph& graph, NodeId id, const QuantizedOp& op);

} // namespace lapidary
