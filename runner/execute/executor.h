// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "runner/execute/program.h"
#include "runner/execute/ring.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace lapidary {

// The state that all executors of one step share.
struct StepEnvironment {
    SessionState& session;
    const ObserveNode& observe;
    const Job& job;
    std::uint64_t runsLeft = 0; // of kernels; at 0 the step ends with an error
    std::uint64_t mostRuns = 0; // the limit against endless loops, where runsLeft began
    std::chrono::steady_clock::time_point begin;
};

// Executes one program, and can be used again for the next run. Tokens carry values or deadness; a
// node runs when its inputs of one iteration of its frame have arrived (see spec/kernels, A20.2).
// Iterations of a loop are executed as their tokens come; results do not depend on
// parallel_iterations. A node that calls a function stops the executor until the results are there:
// the calls of a step are a stack of executors (Machine), not of C++ frames.
class Executor {
public:
    explicit Executor(Program& program);
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    // Resets everything and takes the values of the feeds (a function's arguments).
    Status start(std::vector<Value> feeds, StepEnvironment& step);
    // True when all is done, false when pendingCall() has to be answered with resume().
    Result<bool> advance(StepEnvironment& step);
    FunctionCall takeCall() { return std::move(m_call); }
    const Node& caller() const;
    NodeId callerId() const;
    void resume(std::vector<Value> results);
    // Returns one value for each fetch, after the end.
    Result<std::vector<Value>> answer(const StepEnvironment& step);
    // Releases all values.
    void clear();
    Program& program() { return m_program; }

private:
    struct NodeState {
        std::uint32_t dataLeft = 0;
        std::uint32_t controlLeft = 0;
        bool anyDead = false;
        bool anyLive = false; // a Merge's first live input has come
        bool deadEnter = false;
        bool queued = false;
    };
    struct FrameSlots {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> constants; // slot, constant
        std::vector<std::uint32_t> awaited; // slots of inputs that come over edges
    };
    struct Frame;
    struct Iteration {
        std::vector<NodeState> nodes;
        std::vector<Value> slots; // constants stay in theirs as long as the iteration lives
        std::vector<Frame*> children;
        Frame* frame = nullptr;
        std::uint64_t number = 0;
        std::uint32_t outstanding = 0; // queued or running nodes
    };
    struct Frame {
        std::uint32_t plan = 0; // index into ExecGraph::frames
        Iteration* parent = nullptr;
        std::uint32_t entersLeft = 0;
        std::deque<Iteration*> iterations;
        std::vector<std::pair<std::uint32_t, Value>> constants; // of constant Enters: node, value
        std::vector<std::uint32_t> deadExits;
    };
    struct Task {
        std::uint32_t node = 0;
        bool dead = false;
        Iteration* iteration = nullptr;
    };
    struct Pools; // of iterations and frames that are not in use

    Iteration* newIteration(Frame& frame, std::uint64_t number);
    void release(Iteration* iteration);
    void release(Frame* frame);
    Frame& childFrame(const ExecNode& enter, Iteration& parent);
    void startNextIteration(Frame& frame);
    void finishIterations(Frame* frame);

    Status readConstants(StepEnvironment& step);
    void prepareSlots();
    Result<bool> execute(const Task& task, StepEnvironment& step);
    Status checkType(const ExecNode& node, std::uint32_t i, const Value& value) const;
    Status readInputs(const ExecNode& node, Iteration& iteration) const;
    Result<bool> runNode(const ExecNode& node, Iteration& iteration, StepEnvironment& step);
    Result<bool> runKernel(KernelContext& context, const ExecNode& node);
    bool takeSettled(const ExecNode& node);
    void keepSettled(const ExecNode& node, const MemoryPool& pool);
    Status checkOutputs(const ExecNode& node, const Node& definition) const;
    void finishNode(const Task& task);
    void dropInputs(const ExecNode& node, Iteration& iteration);
    static std::span<Value> inputsOf(const ExecNode& node, Iteration& iteration)
    {
        return std::span<Value>(iteration.slots).subspan(node.frameSlot, node.dataInputs);
    }
    std::span<Value> outputsOf(const ExecNode& node)
    {
        return std::span<Value>(m_outputs).first(node.outputs);
    }

    void passOn(const Task& task);
    void deliverAll(const ExecNode& node, Iteration& to, std::span<Value> outputs, bool dead);
    void deliver(const ExecEdge& edge, ExecKind from, Iteration& to, Value* value);
    void queueIfReady(std::uint32_t node, const ExecNode& exec, Iteration& iteration);
    Status keepFetches(const Task& task);
    std::string nameOf(std::uint32_t node) const;

    Program& m_program;
    const ExecGraph& m_graph;
    std::unique_ptr<Pools> m_pools;
    std::vector<std::vector<NodeState>> m_fresh; // by frame: states of a new iteration
    std::vector<FrameSlots> m_slots;             // by frame
    Frame* m_root = nullptr;
    Ring<Task> m_ready;
    std::vector<Value> m_feeds;
    std::vector<Value> m_fetched;
    CallFunction m_noCall;        // functions are called by the Machine
    std::vector<Value> m_outputs; // of the running node; as many as the node with the most has
    Value m_controlToken;         // never moved from, because control edges have no slot
    Task m_current;               // while it calls a function
    bool m_isCalling = false;
    CallProgress m_progress;
    FunctionCall m_call;
};

} // namespace lapidary
