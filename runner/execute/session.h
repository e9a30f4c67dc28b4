// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "runner/kernels/kernel.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

struct SessionOptions {
    int threads = 1;
    std::uint64_t memoryLimit = std::uint64_t(4) << 30; // bytes of all live tensors
    std::string folder; // of the model; relative file names in the graph start here
    bool allowFiles = false;
    // Random ops whose seeds are both 0 draw the same numbers in every session, so that the results
    // of two graphs can be compared.
    bool drawsAlike = false;
    // With `drawsAlike`, such ops draw by the names of their nodes. This maps nodes that were
    // renamed to their names in the graph that this one is compared with.
    std::map<std::string, std::string, std::less<>> drawNames = {};
    bool fuse = false; // computes convolutions with the nodes after them; see plan/fusion.h
    // Multiplies by the real numbers that quantized weights represent, in the order of the graph's
    // nodes, instead of by the codes: slower, and the same up to rounding.
    bool decodesWeights = false;
    // The back end of 8-bit convolutions and products (int8::backEnds()); empty: the best one.
    std::string backEnd = {};
    std::uint64_t maxNodeRuns = std::uint64_t(1)
                                << 28; // in one run; more are an error, such as an endless loop
};

struct RunRequest {
    std::vector<std::pair<std::string, Value>> feeds; // "x:0" or "x"
    std::vector<std::string> fetches;                 // "y:0" or "y"
    std::vector<std::string> targets;                 // nodes to run without an answer
};

// One execution of a node; for profiles and progress.
struct NodeRun {
    NodeId node;
    std::int64_t startNanoseconds = 0; // since the step began
    std::int64_t nanoseconds = 0;
    std::uint64_t outputBytes = 0;
    const Node* definition = nullptr; // the node itself
    std::string_view function;        // that the node is in; empty: the graph itself
    bool isPart = false; // the node goes on after the function that it calls; add up its times
};
// Called after each execution of a node.
using ObserveNode = std::function<void(const NodeRun& run, std::span<const Value> outputs)>;

struct MissingKernel {
    std::string op;
    std::vector<std::string> nodes;
};

// Returns the op's name as words of a sentence; in a damaged file it may be empty.
std::string_view opWords(std::string_view op);

// One loaded graph and its state (variables, tables, random generators), which lives from run to
// run as in a TensorFlow session. One run at a time.
class Session {
public:
    Session(GraphPtr graph, SessionOptions options);
    ~Session();
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;

    // Returns one value for each fetch. Errors name the node. Nodes that the fetches and targets do
    // not need are not checked.
    Result<std::vector<Value>> run(const RunRequest& request, const Job& job,
                                   const ObserveNode& observe = {});

    // Returns the ops without a kernel among the nodes that the request needs.
    std::vector<MissingKernel> missingKernels(const RunRequest& request) const;
    MemoryPool& pool();
    // Sets the value of the variable that a node of the graph names, as an assignment would.
    void setVariable(const Node& variable, Value value);
    bool hasVariable(const Node& variable) const; // true if it has a value
    // Notes that the checkpoint of the model has no value for the variable, for the error of a node
    // that reads it.
    void setAbsent(const Node& variable, std::string checkpoint);
    // Returns what Print wrote to stderr in the last run.
    const std::string& printed() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lapidary
