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
    Given,    // by the user, where the file declares less
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
    OutputShapes, // its attribute _output_shapes, which only the import reads
    Called,       // inside a function whose shapes the import infers
    CalledLater,  // inside one that the import skips: branches, loops, calls that forbid it
};

struct ShapeConflict {
    NodeId node;
    std::string message; // without the node's name
    ConflictCause cause = ConflictCause::Node;
};

// The shapes and dtypes of all tensors of one graph.
class InferredShapes {
public:
    // Returns null for control edges, dangling inputs, and unread outputs beyond the first 1,024.
    const TensorLabel* find(Endpoint tensor) const;
    std::size_t outputCount(NodeId node) const; // number of those with labels
    const std::vector<ShapeConflict>& conflicts() const { return m_conflicts; }
    // Ops without a rule, with their nodes.
    const std::map<std::string, std::vector<NodeId>>& withoutRule() const { return m_withoutRule; }

    // Returns the value of a node's first output if it is a single integer that is the same in
    // every run. Only known in graphs with loops, whose iteration counts depend on it.
    std::optional<std::int64_t> numberOf(NodeId node) const;

    struct Edges {
        std::size_t data = 0;    // data edges
        std::size_t labeled = 0; // of these, edges with all sizes known
        std::size_t ranked = 0;  // of these, edges with the rank known
    };
    Edges countEdges(const Graph& graph) const;

private:
    friend class ShapeInference;

    std::vector<std::size_t> m_firstLabel; // index of each node's first label, and the end
    std::vector<TensorLabel> m_labels;
    std::vector<ShapeConflict> m_conflicts;
    std::map<std::string, std::vector<NodeId>> m_withoutRule;
    std::unordered_map<NodeId, std::int64_t> m_numbers;
};

struct ShapeOptions {
    // Shapes that the user has set, of inputs or of any other tensor.
    std::vector<std::pair<Endpoint, Shape>> given;
    bool trustsOutputShapes = true; // _output_shapes count as declared
    // Follows only what TensorFlow's import follows, which does not know values that enter and
    // circulate in loops, elements of TensorArrays and results of branches.
    bool asImported = false;
};

// Infers the shapes of the whole graph, including bodies of called functions. Loops keep what all
// iterations have in common. Unknown sizes are never an error; contradictions are listed. About
// O(nodes); fails only if cancelled. `kernel` computes the values of small constant tensors;
// without one, only the ops that most often compute shapes are followed.
Result<InferredShapes> propagateShapes(const Graph& graph, const ShapeOptions& options,
                                       FoldKernel kernel, const Job& job);

} // namespace lapidary
