#pragma once

#include "graph_model/base/job.h"
#include "runner/execute/exec_graph.h"

#include <any>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lapidary {

// Executes one compiled graph once. Tokens carry values or deadness; a node runs when its inputs of
// one iteration of its frame have arrived (spec: kernels, section A20.2). Iterations of a loop are
// executed as their tokens come; results do not depend on parallel_iterations.
class Executor {
public:
    struct Environment {
        SessionState& session;
        std::vector<std::any>& nodeStates; // by NodeId
        const CallFunction& call;
        const ObserveNode& observe;
        const Job& job;
        std::uint64_t& runsLeft; // of kernels; 0: the limit against endless loops
    };
    Executor(const ExecGraph& graph, Environment environment);
    ~Executor();

    // One value for each fetch.
    Result<std::vector<Value>> run(std::span<const Value> feeds);

private:
    struct Slot {
        Value value;
        bool arrived = false;
        bool dead = false;
    };
    struct NodeState {
        std::uint32_t dataLeft = 0;
        std::uint32_t controlLeft = 0;
        bool anyDead = false;
        bool anyLive = false; // a Merge's first live input has come
        bool deadEnter = false;
        bool queued = false;
        std::uint32_t liveSlot = 0;
        std::vector<Slot> slots;
    };
    struct Frame;
    struct Iteration {
        std::vector<NodeState> nodes;
        std::uint32_t outstanding = 0; // queued or running nodes
        std::uint32_t childFrames = 0;
        bool done = false;
    };
    struct Frame {
        const ExecFrame* plan = nullptr;
        std::uint32_t index = 0;
        Frame* parent = nullptr;
        std::uint64_t parentIteration = 0;
        std::uint32_t entersLeft = 0;
        std::uint64_t first = 0; // number of iterations[0]
        std::deque<Iteration> iterations;
        std::vector<std::pair<std::uint32_t, Value>> constants; // of constant Enters: node, value
        std::vector<std::uint32_t> deadExits;
        std::map<std::pair<std::uint64_t, std::uint32_t>, std::unique_ptr<Frame>> children;
    };
    struct Task {
        std::uint32_t node = 0;
        Frame* frame = nullptr;
        std::uint64_t iteration = 0;
        bool dead = false;
    };

    Iteration& iteration(Frame& frame, std::uint64_t number);
    Iteration makeIteration(const Frame& frame) const;
    void start();
    Status drain();
    Status execute(const Task& task);
    Status runKernel(const Task& task, std::vector<Value>& outputs);
    void passOn(const Task& task, std::span<const Value> outputs);
    void deliverAll(std::uint32_t node, Frame& frame, std::uint64_t number,
                    std::span<const Value> outputs, bool dead);
    void deliver(const ExecEdge& edge, std::uint32_t from, Frame& frame, std::uint64_t number,
                 const Value* value);
    void queueIfReady(std::uint32_t node, Frame& frame, std::uint64_t number);
    Frame& childFrame(std::uint32_t enter, Frame& parent, std::uint64_t number);
    void startNextIteration(Frame& frame);
    void finishIterations(Frame* frame);
    void keepFetches(const Task& task, std::span<const Value> outputs);
    Result<std::vector<Value>> answer(std::span<const Value> feeds);
    std::string nameOf(std::uint32_t node) const;

    const ExecGraph& m_graph;
    Environment m_environment;
    std::unique_ptr<Frame> m_root;
    std::deque<Task> m_ready;
    std::span<const Value> m_feeds;
    std::vector<std::optional<Value>> m_fetched;
    std::vector<bool> m_isFetched; // by ExecNode
    std::chrono::steady_clock::time_point m_begin;
};

} // namespace lapidary
