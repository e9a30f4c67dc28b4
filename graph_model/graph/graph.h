// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/ids.h"
#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/name_index.h"
#include "graph_model/graph/node.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

class FunctionLibrary;

// The target of an input string: a node of the graph and one of its outputs, or nothing (dangling).
struct Endpoint {
    NodeId node;           // invalid: no node has that name
    std::int32_t port = 0; // -1: control

    bool isControl() const { return port < 0; }
    bool operator==(const Endpoint&) const = default;
};

// One reader of a node: input number `slot` of `node` takes output `port` (-1: control).
struct Consumer {
    NodeId node;
    std::uint32_t slot = 0;
    std::int32_t port = 0;

    bool isControl() const { return port < 0; }
    bool operator==(const Consumer&) const = default;
};

struct GraphVersions { // VersionDef: producer 1, min_consumer 2, bad_consumers 3 (packed)
    std::int32_t producer = 0;
    std::int32_t minConsumer = 0;
    std::vector<std::int32_t> badConsumers;
    std::string unknownFields; // whole fields as in the file
    bool present = false;

    bool operator==(const GraphVersions&) const = default;
};

class Graph;
using GraphPtr = std::shared_ptr<const Graph>;

// An immutable graph in file order. Nodes are shared between versions; NodeId is the position. It
// can represent everything that a file can contain: duplicate names (the first node owns the name),
// dangling inputs, cycles, unknown ops. O(nodes + inputs) to make, O(1) per query.
class Graph {
public:
    struct Parts {
        std::vector<NodePtr> nodes;
        GraphVersions versions;
        std::shared_ptr<const FunctionLibrary> functions; // may be null
        std::string unknownFields;                        // of the GraphDef, as in the file
        // For function bodies, where "node:out:1" counts within the output argument "out": returns
        // the number of the argument's first port. Only make() calls it; null for other graphs.
        std::function<std::int32_t(const Node& producer, std::string_view output)> firstPort;
        // A graph whose nodes have the same names and input strings at the same positions: derived
        // data is shared, not computed again. Only make() reads it; may be null.
        std::shared_ptr<const Graph> sameWiring;
    };
    static GraphPtr make(Parts parts);

    std::size_t size() const { return m_parts.nodes.size(); }
    std::span<const NodePtr> nodes() const { return m_parts.nodes; }
    const Node& node(NodeId id) const { return *m_parts.nodes[id.value]; }
    const GraphVersions& versions() const { return m_parts.versions; }
    const FunctionLibrary* functions() const { return m_parts.functions.get(); }
    std::shared_ptr<const FunctionLibrary> sharedFunctions() const { return m_parts.functions; }
    std::string_view unknownFields() const { return m_parts.unknownFields; }

    // Returns an invalid ID if no node has the name.
    NodeId find(std::string_view name) const;
    bool namesAreUnique() const { return m_wiring->byName.namesAreUnique(); }
    // One endpoint for each input string, in order.
    std::span<const Endpoint> inputs(NodeId id) const;
    // Readers in node order, then slot order.
    std::span<const Consumer> consumers(NodeId id) const;
    // The number of input strings in the file, including dangling and control ones.
    std::size_t edgeCount() const { return m_wiring->inputs.size(); }

private:
    struct Wiring {
        explicit Wiring(const Parts& parts);
        void resolveInputs(const Parts& parts);
        void collectConsumers(std::size_t size);

        NameIndex byName;
        std::vector<Endpoint> inputs;
        std::vector<std::uint32_t> inputStart;
        std::vector<Consumer> consumers;
        std::vector<std::uint32_t> consumerStart;
    };

    explicit Graph(Parts parts);

    Parts m_parts;
    std::shared_ptr<const Wiring> m_wiring;
};

// Same as outputText() and tensorName() of node.h, for a node of the graph.
std::string outputText(const Graph& graph, const Endpoint& output);
std::string tensorName(const Graph& graph, const Endpoint& output);

// Returns the nodes in an order in which every data and control producer precedes its readers.
// Edges NextIteration -> Merge and those that close other cycles are ignored. Deterministic.
std::vector<NodeId> topologicalOrder(const Graph& graph);

} // namespace lapidary
