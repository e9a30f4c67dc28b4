// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "runner/execute/session.h"
#include "runner/kernels/functional/function_call.h"
#include "runner/kernels/kernel.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

class FunctionLibrary;

enum class ExecKind : std::uint8_t {
    Ordinary,
    Switch,
    Merge,
    Enter,
    ConstantEnter,
    Exit,
    NextIteration,
    ControlTrigger,
    Feed,
    Constant, // its consumers read it from ExecGraph::constants
};

struct ExecEdge {
    std::uint32_t target = 0; // ExecNode index
    std::int32_t port = 0;    // of the producer; -1: control
    std::int32_t slot = 0;    // data slot of the target; -1: control
    bool isLast = false;      // the last data edge of this port: the value may be moved
};

// An input slot of a node.
struct ExecSlot {
    std::int32_t constant = -1; // index into ExecGraph::constants; -1: it comes over an edge
    bool takesReference = false;
    DType dtype = DType::Invalid; // by the op's signature; Invalid: not known
    DType given = DType::Invalid; // by the producer's signature; Invalid: not known
};

inline constexpr std::uint32_t noOutputTypes = UINT32_MAX;

struct ExecNode {
    NodeId id; // invalid: a feed
    const Kernel* kernel = nullptr;
    Proceed proceed = nullptr; // set instead of run if the node calls functions
    ExecKind kind = ExecKind::Ordinary;
    bool isFetched = false;
    bool isSettled = false; // its outputs are the same in every run
    std::uint32_t dataInputs = 0;
    std::uint32_t awaitedData = 0; // data inputs that come over edges
    std::uint32_t controlInputs = 0;
    std::uint32_t outputs = 0;
    std::uint32_t firstOutput = noOutputTypes; // index into ExecGraph::outputTypes
    std::uint32_t feed = 0;                    // index of the fed value if kind is Feed
    std::uint32_t frame = 0;                   // static frame, index into ExecGraph::frames
    std::uint32_t child = 0;                   // frame that an Enter leads into
    std::uint32_t indexInFrame = 0;
    std::uint32_t firstSlot = 0; // index into ExecGraph::slots
    std::uint32_t frameSlot = 0; // index of its first slot among the slots of its frame
    std::uint32_t firstEdge = 0; // index into ExecGraph::edges, sorted by port
    std::uint32_t edgeCount = 0;
};

// A loop body in the graph; at run time it may exist many times.
struct ExecFrame {
    std::string name; // frame_name of its Enter nodes; empty: the root
    std::uint32_t parent = 0;
    std::uint32_t slotCount = 0;
    std::uint32_t enterCount = 0;
    std::vector<std::uint32_t> nodes; // ExecNode indices, by indexInFrame
};

// A node whose value never changes. Kernels that pack their weights get its bytes as they are in
// the file; a node that other kernels read too is listed twice.
struct ExecConstant {
    std::uint32_t node = 0; // ExecNode index
    bool isForPacking = false;
    bool isRepeated = false; // the node is earlier in the list, for the other kind of reader
};

struct FetchSource {
    std::int32_t feed = -1; // index of the feed that is the answer; -1: a node computes it
    std::uint32_t node = 0;
    std::int32_t port = 0;
};

// The part of a graph that a request needs, ready to be executed.
struct ExecGraph {
    GraphPtr graph;
    std::vector<ExecNode> nodes;
    std::vector<ExecEdge> edges;
    std::vector<ExecSlot> slots;
    std::vector<DType> outputTypes; // by the ops' signatures; Invalid: not known
    std::vector<ExecFrame> frames;  // the root first
    std::vector<ExecConstant> constants;
    std::vector<std::uint32_t> starts; // nodes of the root frame that wait for nothing
    std::vector<FetchSource> fetches;
    std::vector<MissingKernel> missing;

    DType outputType(const ExecNode& node, std::int32_t port) const
    {
        return node.firstOutput == noOutputTypes
                   ? DType::Invalid
                   : outputTypes[node.firstOutput + std::uint32_t(port)];
    }
};

// A request to compile, with resolved names.
struct CompileRequest {
    std::vector<Endpoint> feeds;
    std::vector<Endpoint> fetches;
    std::vector<NodeId> targets;
};

// Resolves the names of a request. Errors: unknown names, missing ports, feeds given twice, and a
// request for nothing.
Result<CompileRequest> resolve(const Graph& graph, const FunctionLibrary* library,
                               const RunRequest& request);
// Compiles the nodes that fetches and targets need, without those that only compute fed values.
// Errors: inputs that do not exist, inputs from different frames, an Exit outside of loops.
// O(nodes + edges).
Result<ExecGraph> compile(const GraphPtr& graph, const FunctionLibrary* library,
                          const CompileRequest& request);

// Returns the number of outputs of a node, by its attributes and the op registry or the function
// that it calls.
std::uint32_t outputCount(const Node& node, const FunctionLibrary* library = nullptr);

} // namespace lapidary
