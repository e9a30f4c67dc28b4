#pragma once

#include "graph_model/graph/graph.h"
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
    // `nanoseconds`: of the whole run, by the caller's clock.
    void end(std::int64_t nanoseconds);

    struct NodeTimes {
        NodeId node;
        std::int64_t order = 0; // of its first execution, from 1
        std::int64_t calls = 0;
        std::int64_t nanoseconds = 0;        // of all runs
        std::int64_t startNanoseconds = 0;   // of its first execution in the first run
        std::vector<std::int64_t> perRun;    // nanoseconds, all calls of a run together
        std::uint64_t outputBytes = 0;       // of the newest run
        std::vector<RecordedOutput> outputs; // of the newest execution
    };
    const std::map<NodeId, NodeTimes>& nodes() const { return m_nodes; }
    // What is left of the runs when all nodes are taken away: nodes and executor together are the
    // runs' total exactly.
    std::int64_t executorNanoseconds() const;
    std::int64_t totalNanoseconds() const { return m_total; }
    const std::vector<std::int64_t>& runs() const { return m_runs; }

    // The same as benchmark_model's statistics; and the records of the newest run.
    const ProfileStatistics& statistics() const { return m_statistics; }
    const StepRecords& lastStep() const { return m_lastStep; }

    // Floating-point operations of a node by the original's rules (spec: tools, 1.3), from the
    // shapes that were measured; nothing for ops that it does not count, or unknown shapes.
    std::optional<std::int64_t> flops(NodeId node) const;
    std::int64_t totalFlops() const;

private:
    std::optional<std::vector<std::int64_t>> dimsOf(Endpoint tensor) const;
    std::string labelOf(NodeId node) const;

    GraphPtr m_graph;
    std::map<NodeId, NodeTimes> m_nodes;
    std::vector<std::int64_t> m_runs;
    std::vector<NodeRun> m_current;
    std::vector<std::vector<RecordedOutput>> m_currentOutputs;
    std::int64_t m_total = 0;
    std::int64_t m_beginMicros = 0;
    ProfileStatistics m_statistics;
    StepRecords m_lastStep;
};

} // namespace lapidary
