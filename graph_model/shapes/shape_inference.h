// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "graph_model/shapes/inferred_shapes.h"
#include "graph_model/shapes/rule_context.h"
#include "graph_model/shapes/value_folder.h"

#include <queue>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lapidary {

struct CalledBody {
    std::vector<TensorState> results;
    std::optional<ShapeConflict> conflict; // the first one
};

// State shared by the inferences of a graph and of the functions that it calls.
struct InferenceShared {
    explicit InferenceShared(FoldKernel kernel)
        : folder(std::move(kernel))
    {
    }

    ValueFolder folder;
    const FunctionLibrary* functions = nullptr;
    std::int32_t producer = 0;
    std::int64_t visitsLeft = 20'000'000;
    std::int64_t keyBytesLeft = std::int64_t(1) << 28; // for the keys of calls, made or looked up
    int depth = 0;
    std::unordered_map<std::string, CalledBody> calls; // by function and arguments
};

// One inference over one graph: visits nodes in topological order, and again if a value that was
// assumed to be known turns out to vary (back edges of loops, writes to TensorArrays).
class ShapeInference {
public:
    ShapeInference(const Graph& graph, const ShapeOptions& options, InferenceShared& shared,
                   const Job& job);

    // For bodies of functions: sets the arguments by their number.
    void setArguments(std::vector<TensorState> arguments) { m_arguments = std::move(arguments); }
    Status run();
    InferredShapes labels() const;
    std::vector<TensorState> results() const; // of a function's body, by number
    // Returns the first conflict that a run would meet, else any; its message is "NODE: message".
    std::optional<ShapeConflict> firstConflict() const;

private:
    struct ArrayUse {
        bool isWritten = false;
        Shape element;
        std::unordered_set<NodeId> readers;
    };

    void prepare();
    std::size_t consumedOutputs(NodeId id); // up to the highest port that is read
    std::size_t keptOutputs(NodeId id);
    void visit(NodeId id);
    std::vector<TensorState> inputsOf(NodeId id) const;
    // Returns the states that the import knows for a node whose result it cannot follow.
    std::vector<TensorState> hiddenStates(NodeId id, const std::vector<TensorState>& inputs);
    // Returns the file's declarations, for ops that are not TensorFlow's and have no rules.
    std::vector<TensorState> declaredStates(NodeId id) const;
    std::vector<TensorState> infer(NodeId id, const std::vector<TensorState>& inputs);
    std::vector<TensorState> inferLoopMerge(NodeId id);
    std::vector<TensorState> applyRule(NodeId id, const ShapeRule& rule,
                                       const std::vector<TensorState>& inputs);
    // Returns nothing if the node calls no function.
    std::optional<std::vector<TensorState>> call(NodeId id, const std::vector<TensorState>& inputs);
    std::vector<TensorState> callBody(const Function& function,
                                      std::span<const TensorState> arguments, NodeId caller);
    std::vector<TensorState> callLoop(NodeId id, const std::vector<TensorState>& inputs);
    std::vector<TensorState> callBranches(NodeId id, const std::vector<TensorState>& inputs);
    void noteConflict(NodeId id, std::string message, ConflictCause cause = ConflictCause::Node);
    bool isHiddenFromImport(NodeId id) const;
    void applyOutputShapes(NodeId id, std::vector<TensorState>& outputs);
    bool isCall(const Node& node) const;
    // Whether the import infers the shapes in a call: it does in plain calls, unless the caller
    // forbids it.
    static bool isFollowedByImport(const Node& call);
    FunctionPtr functionOf(const Node& node, std::string_view attr) const;
    std::int64_t declaredOutputs(const Node& node) const; // -1 if unknown
    void noteElement(NodeId array, const Shape& element);
    Shape elementOf(NodeId array, NodeId reader);
    void applyDeclared(NodeId id, std::vector<TensorState>& outputs);
    void setDtypes(NodeId id, std::vector<TensorState>& outputs) const;
    void store(NodeId id, std::vector<TensorState> outputs);
    void enqueue(NodeId id);
    bool isLoopMerge(NodeId id) const;
    std::unordered_map<NodeId, std::int64_t> numbers() const;

    const Graph& m_graph;
    const ShapeOptions& m_options;
    InferenceShared& m_shared;
    const Job& m_job;
    std::vector<TensorState> m_arguments;

    std::vector<std::uint32_t> m_place; // position of each node in the order
    std::vector<NodeId> m_order;
    std::vector<std::size_t> m_first; // index of the state of each node's port 0, and the end
    std::vector<TensorState> m_states;
    std::vector<LabelSource> m_sources; // of each state
    std::vector<std::uint8_t> m_visits;
    std::vector<bool> m_isQueued;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> m_queue;
    std::unordered_map<NodeId, ArrayUse> m_arrays;
    std::unordered_map<std::size_t, Shape> m_given; // by state
    std::unordered_map<std::uint32_t, ShapeConflict> m_conflicts;
    std::int64_t m_spareOutputs = 1 << 22;
    std::int64_t m_unreadOutputs = 1 << 20; // those before the last one that is read
    bool m_trustsOutputShapes = true;
    bool m_isForeign = false; // the ops are not TensorFlow's
};

} // namespace lapidary
