// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "graph_model/shapes/value_folder.h"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lapidary {

enum class LabelSource : std::uint8_t {
    Declared, // by the file
    Given,    // by the user, where the file says less
    Inferred,
    Measured, // in a run
};
std::string_view labelSourceName(LabelSource source); // "declared"

struct TensorLabel {
    DType dtype = DType::Invalid;
    Shape shape{{}, true};
    LabelSource source = LabelSource::Inferred;
};

enum class ConflictCause : std::uint8_t {
    Node,         // its inputs and attributes
    OutputShapes, // its attribute _output_shapes, which nothing but the import reads
    Called,       // in a function, into which import looks
    CalledLater,  // in one into which it does not: branches, turns, calls that forbid it
};

struct ShapeConflict {
    NodeId node;
    std::string message; // without the node's name
    ConflictCause cause = ConflictCause::Node;
};

// The shapes and dtypes of all tensors of one graph.
class InferredShapes {
public:
    // Returns null for control edges, dangling inputs, and unread outputs beyond the first
    // 1,024.
    const TensorLabel* find(Endpoint tensor) const;
    std::size_t outputCount(NodeId node) const; // that have labels
    const std::vector<ShapeConflict>& conflicts() const { return m_conflicts; }
    // Ops without a rule, with their nodes.
    const std::map<std::string, std::vector<NodeId>>& withoutRule() const { return m_withoutRule; }

    // Returns the value of a node's first output, if that is one integer, the same in every run.
    // Only known for graphs with loops, whose turns depend on it.
    std::optional<std::int64_t> numberOf(NodeId node) const;

    struct Edges {
        std::size_t data = 0;    // data edges
        std::size_t labeled = 0; // of these, with every size known
        std::size_t ranked = 0;  // of these, with the rank known
    };
    Edges countEdges(const Graph& graph) const;

private:
    friend class ShapeInference;

    std::vector<std::size_t> m_firstLabel; // of each node, and the end
    std::vector<TensorLabel> m_labels;
    std::vector<ShapeConflict> m_conflicts;
    std::map<std::string, std::vector<NodeId>> m_withoutRule;
    std::unordered_map<NodeId, std::int64_t> m_numbers;
};

struct ShapeOptions {
    // Shapes that the user knows better: of inputs, or of any other tensor.
    std::vector<std::pair<Endpoint, Shape>> given;
    bool trustsOutputShapes = true; // _output_shapes count as declared
    // Follows only what TensorFlow's import follows: values that enter and circulate in loops,
    // elements of TensorArrays and results of branches are unknown to it.
    bool asImported = false;
};

// Shape inference over the whole graph, bodies of called functions included. Loops keep what every
// iteration has in common. Unknown sizes never count as an error; contradictions are listed. About
// O(nodes); fails only when cancelled. `kernel` computes the values of small constant tensors;
// without one, only the ops that most often compute shapes are followed.
Result<InferredShapes> propagateShapes(const Graph& graph, const ShapeOptions& options,
                                       FoldKernel kernel, const Job& job);

} // namespace lapidary
