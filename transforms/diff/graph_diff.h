// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph_edit.h"
#include "transforms/diff/tensor_change.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// A node that both graphs have: its IDs in the graphs before and after.
struct NodePair {
    NodeId before;
    NodeId after;

    bool operator==(const NodePair&) const = default;
};

enum class AttributeKind { Attribute, Dtype, Shape, Device };
std::string_view attributeKindName(AttributeKind kind); // "attribute", "dtype", ...

struct AttributeChange {
    NodePair node;
    std::string attr; // "device" of kind Device is the node's device
    AttributeKind kind = AttributeKind::Attribute;
    std::optional<std::string> before; // text for people; nothing: the attribute is missing
    std::optional<std::string> after;
};

struct ConstantChange {
    NodePair node;
    std::string attr; // "value" of a Const
    TensorChange change;
};

struct GraphDiff;
struct FunctionChange {
    std::string name;
    bool signature = false; // arguments, results or attributes differ
    std::shared_ptr<const GraphDiff> body;
};

// The differences between two graphs. The order of nodes, of control inputs and of attributes is
// ignored, and so is the way in which a tensor's values are stored.
struct GraphDiff {
    std::vector<NodeId> counterparts; // for each node before, the node after; invalid: removed

    std::vector<NodeId> removed; // ids before
    std::vector<NodeId> added;   // ids after
    std::vector<NodePair> renamed;
    std::vector<NodePair> rewired; // data inputs in order, control inputs as a set
    std::vector<NodePair> ops;
    std::vector<AttributeChange> attributes;
    // values of equal type and shape; others count as attributes
    std::vector<ConstantChange> constants;

    std::vector<std::string> removedFunctions;
    std::vector<std::string> addedFunctions;
    std::vector<FunctionChange> functions;
    bool gradients = false; // the library's gradients differ
    bool versions = false;  // producer and other versions differ

    bool isSame() const;
};

// `lineage`: how `after` was made from `before`, if known.
Result<GraphDiff> diffGraphs(const Graph& before, const Graph& after, const Job& job,
                             const Lineage* lineage = nullptr);

} // namespace lapidary
