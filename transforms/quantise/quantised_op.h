#pragma once

#include "graph_model/graph/graph.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// How one float op becomes an 8-bit one.
struct QuantisedOp {
    std::string_view op;
    std::string_view quantisedOp;
    std::vector<std::string_view> copiedAttrs;
    std::vector<std::string_view> byteAttrs;    // set to quint8
    std::string_view wordAttr;                  // set to qint32: the result is wide
    bool separatesRanges = false;               // all minima, then all maxima
    std::vector<std::size_t> unquantisedInputs; // shapes and axes

    bool isWide() const { return !wordAttr.empty(); }
    bool isQuantised(std::size_t input) const;
};

// Null where there is none.
const QuantisedOp* findQuantisedOp(std::string_view op);
std::span<const QuantisedOp> allQuantisedOps(); // sorted by op

// Why a node of such an op cannot be converted: types, layouts or options that the 8-bit op does
// not have. Empty where it can.
std::string quantiseFault(const Graph& graph, NodeId id, const QuantisedOp& op);

} // namespace lapidary
