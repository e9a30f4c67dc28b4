// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/shapes/inferred_shapes.h"
#include "runner/execute/session.h"
#include "runner/profile/statistics.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Measures runs of a session, node by node. Usage: begin(), Session::run with observer(), end().
class RunProfile {
public:
    explicit RunProfile(GraphPtr graph);

    void begin();
    ObserveNode observer();
    // `nanoseconds`: time of the whole run, by the caller's clock.
    void end(std::int64_t nanoseconds);

    // A node of the graph, or of a library function that the graph calls.
    struct Key {
        std::string function; // empty: the graph itself
        NodeId node;
        auto operator<=>(const Key&) const = default;
    };
    struct NodeTimes {
        Key key;
        std::string name; // "function/node" within functions
        std::string op;
        std::int64_t order = 0; // position of its first execution, from 1
        std::int64_t calls = 0;
        std::int64_t nanoseconds = 0;        // executions in all runs
        std::int64_t startNanoseconds = 0;   // start of its first execution in the first run
        std::vector<std::int64_t> perRun;    // nanoseconds, all calls of a run together
        std::uint64_t outputBytes = 0;       // bytes in the newest run
        std::vector<RecordedOutput> outputs; // sizes in the newest execution
    };
    const std::map<Key, NodeTimes>& nodes() const { return m_nodes; }
    // The time of the runs outside of nodes: nodes and executor add up to the runs' total exactly.
    std::int64_t executorNanoseconds() const;
    std::int64_t totalNanoseconds() const { return m_total; }
    const std::vector<std::int64_t>& runs() const { return m_runs; }
    const std::vector<std::int64_t>& executorRuns() const { return m_executorRuns; } // by run, too

    // Return the statistics that benchmark_model prints, and the records of the newest run.
    const ProfileStatistics& statistics() const { return m_statistics; }
    const StepRecords& lastStep() const { return m_lastStep; }
    // The executions of the newest run, in the order in which they ended.
    struct Call {
        Key key;
        std::int64_t startNanoseconds = 0; // since the run began
        std::int64_t nanoseconds = 0;
    };
    const std::vector<Call>& lastCalls() const { return m_lastCalls; }

    // Gives the shapes of nodes that were computed together with others, and so were not measured.
    void setShapes(InferredShapes shapes) { m_shapes = std::move(shapes); }
    // Returns the floating-point operations of a node, from the measured shapes. For an output of
    // `out` elements benchmark_model counts 2 * out * height * width * input channels of the filter
    // for convolutions, without the channels for depthwise ones, and 2 * out * depth for products
    // of matrices. Returns nothing for other ops, unknown shapes, and nodes within functions.
    std::optional<std::int64_t> flops(const Key& key) const;
    std::int64_t totalFlops() const;

private:
    Shape shapeOf(Endpoint tensor) const;
    NodeId fusedReader(NodeId node) const;

    // One execution. Its node is copied, because nodes of functions live only as long as their
    // session.
    struct Seen {
        Key key;
        std::string name;
        std::string op;
        std::string label;
        NodeRun run;
        std::vector<RecordedOutput> outputs;
    };
    static Seen seen(const NodeRun& run, std::span<const Value> outputs);
    void joinParts();

    GraphPtr m_graph;
    std::optional<InferredShapes> m_shapes;
    std::map<Key, NodeTimes> m_nodes;
    std::vector<std::int64_t> m_runs;
    std::vector<std::int64_t> m_executorRuns;
    std::vector<Seen> m_current;
    std::int64_t m_total = 0;
    std::int64_t m_beginMicros = 0;
    ProfileStatistics m_statistics;
    StepRecords m_lastStep;
    std::vector<Call> m_lastCalls;
};

} // namespace lapidary
