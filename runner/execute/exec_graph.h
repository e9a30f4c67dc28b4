#pragma once

#include "graph_model/graph/graph.h"
#include "runner/execute/session.h"
#include "runner/kernels/kernel.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

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
};

struct ExecEdge {
    std::uint32_t target = 0; // ExecNode index
    std::int32_t port = 0;    // of the producer; -1: control
    std::int32_t slot = 0;    // data slot of the target; -1: control
};

struct ExecNode {
    NodeId id;
    const Kernel* kernel = nullptr;
    ExecKind kind = ExecKind::Ordinary;
    std::uint32_t dataInputs = 0;
    std::uint32_t controlInputs = 0;
    std::uint32_t outputs = 0;
    std::uint32_t feed = 0;  // index of the fed value where kind is Feed
    std::uint32_t frame = 0; // static frame, index into ExecGraph::frames
    std::uint32_t indexInFrame = 0;
    std::uint32_t firstEdge = 0; // into ExecGraph::edges, sorted by port
    std::uint32_t edgeCount = 0;
};

// A loop body as the graph has it; at run time it may exist many times.
struct ExecFrame {
    std::string name; // frame_name of its Enter nodes; empty: the root
    std::uint32_t parent = 0;
    std::uint32_t nodeCount = 0;
    std::uint32_t enterCount = 0;
    std::int64_t parallelIterations = 10;
    std::vector<std::uint32_t> nodes; // ExecNode by indexInFrame
};

struct FetchSource {
    std::int32_t feed = -1; // answered by a feed directly
    std::uint32_t node = 0;
    std::int32_t port = 0;
};

// The part of a graph that a request needs, ready to be executed.
struct ExecGraph {
    GraphPtr graph;
    std::vector<ExecNode> nodes;
    std::vector<ExecEdge> edges;
    std::vector<ExecFrame> frames; // the root first
    std::vector<FetchSource> fetches;
    std::vector<MissingKernel> missing;
};

// Prunes to what fetches and targets need, not looking behind feeds. Errors: unknown names, missing
// ports, inputs from different frames, feeds given twice.
Result<ExecGraph> compile(const GraphPtr& graph, const RunRequest& request);

// How many outputs a node has by the op registry and its attributes.
std::uint32_t outputCount(const Node& node);

} // namespace lapidary
