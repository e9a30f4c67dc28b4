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
    std::int64_t keyBytesLeft = std::int64_t(1) << 28; // of the keys of calls, made or looked up
    int depth = 0;
    std::unordered_map<std::string, CalledBody> calls; // by function and arguments
};

// One inference over one graph: nodes in topological order, and again where something that was
// taken for known turns out to vary (back edges of loops, writes to TensorArrays).
class ShapeInference {
public:
    ShapeInference(const Graph& graph, const ShapeOptions& options, InferenceShared& shared,
                   const Job& job);

    // For bodies of functions: sets the arguments by their number.
    void setArguments(std::vector<TensorState> arguments) { m_arguments = std::move(arguments); }
    Status run();
    InferredShapes labels() const;
    std::vector<TensorState> results() const; // of a function's body, by number
    // The first one that a run meets, else any; its message is "NODE: message".
    std::optional<ShapeConflict> firstConflict() const;

private:
    struct ArrayUse {
        bool isWritten = false;
        Shape element;
        std::unordered_set<NodeId> readers;
    };

    void prepare();
    std::size_t consumedOutputs(NodeId id); // by the highest port that is read
    std::size_t keptOutputs(NodeId id);
    void visit(NodeId id);
    std::vector<TensorState> inputsOf(NodeId id) const;
    // Returns what import knows of a node whose work it cannot see.
    std::vector<TensorState> hiddenStates(NodeId id, const std::vector<TensorState>& inputs);
    // Returns what the file declares if the ops are not TensorFlow's, for which there are no rules.
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
    // For a call: import infers the shapes of plain calls, unless the caller forbids it.
    static bool isFollowedByImport(const Node& call);
    FunctionPtr functionOf(const Node& node, std::string_view attr) const;
    std::int64_t declaredOutputs(const Node& node) const; // -1 where it is not known
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

    std::vector<std::uint32_t> m_place; // of each node in the order
    std::vector<NodeId> m_order;
    std::vector<std::size_t> m_first; // state of each node's port 0, and the end
    std::vector<TensorState> m_states;
    std::vector<LabelSource> m_sources; // of each state
    std::vector<std::uint8_t> m_visits;
    std::vector<bool> m_isQueued;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> m_queue;
    std::unordered_map<NodeId, ArrayUse> m_arrays;
    std::unordered_map<std::size_t, Shape> m_given; // by state
    std::unordered_map<std::uint32_t, ShapeConflict> m_conflicts;
    std::int64_t m_spareOutputs = 1 << 22;
    std::int64_t m_unreadOutputs = 1 << 20; // before the last one that is read
    bool m_trustsOutputShapes = true;
    bool m_isForeign = false; // the ops are not TensorFlow's
};

} // namespace lapidary
