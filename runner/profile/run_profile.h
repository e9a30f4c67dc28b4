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
        std::int64_t order = 0; // of its first execution, from 1
        std::int64_t calls = 0;
        std::int64_t nanoseconds = 0;        // of all runs
        std::int64_t startNanoseconds = 0;   // of its first execution in the first run
        std::vector<std::int64_t> perRun;    // nanoseconds, all calls of a run together
        std::uint64_t outputBytes = 0;       // of the newest run
        std::vector<RecordedOutput> outputs; // of the newest execution
    };
    const std::map<Key, NodeTimes>& nodes() const { return m_nodes; }
    // What is left of the runs when all nodes are taken away: nodes and executor together are the
    // runs' total exactly.
    std::int64_t executorNanoseconds() const;
    std::int64_t totalNanoseconds() const { return m_total; }
    const std::vector<std::int64_t>& runs() const { return m_runs; }
    const std::vector<std::int64_t>& executorRuns() const { return m_executorRuns; } // the same way

    // The same as benchmark_model's statistics; and the records of the newest run.
    const ProfileStatistics& statistics() const { return m_statistics; }
    const StepRecords& lastStep() const { return m_lastStep; }

    // Floating-point operations of a node by the original's rules (spec: tools, 1.3), from the
    // shapes that were measured; nothing for ops that it does not count, unknown shapes, and nodes
    // within functions.
    std::optional<std::int64_t> flops(const Key& key) const;
    std::int64_t totalFlops() const;

private:
    std::optional<std::vector<std::int64_t>> dimsOf(Endpoint tensor) const;

    struct Seen { // one execution, copied: nodes of functions live as long as their session
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
    std::map<Key, NodeTimes> m_nodes;
    std::vector<std::int64_t> m_runs;
    std::vector<std::int64_t> m_executorRuns;
    std::vector<Seen> m_current;
    std::int64_t m_total = 0;
    std::int64_t m_beginMicros = 0;
    ProfileStatistics m_statistics;
    StepRecords m_lastStep;
};

} // namespace lapidary
