// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/lift/first_reads.h"
#include "graph_model/lift/lift_graph.h"
#include "graph_model/lift/stored_tensors.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lapidary {

// Gives access to one operator of a file at a time, with its inputs by slot.
class LiftedOperator {
public:
    using Ints = std::vector<std::int64_t>;

    LiftedOperator(const Graph& source, CodedOperators coded)
        : m_source(source)
        , m_tensors(source)
        , m_coded(coded)
    {
    }

    const Graph& source() const { return m_source; }
    NodeId id() const { return m_id; }
    CodedOperators coded() const { return m_coded; }
    // Whether the graph is lifted to be written to a file, not to be run.
    bool isWritten() const { return m_coded != CodedOperators::AsRuntime; }
    const Node& node() const { return m_source.node(m_id); }
    std::size_t slots() const { return m_slots.size(); } // including omitted ones
    bool has(std::size_t slot) const;

    Ints intsAttr(std::string_view name) const { return node().attr(name).ints(); }
    std::int64_t intAttr(std::string_view name, std::int64_t standard) const;
    float floatAttr(std::string_view name, float standard) const;
    std::string_view textAttr(std::string_view name) const;
    // Returns the scales of the codes of an input or an output; null if the file has numbers there.
    const StoredScales* inScales(std::size_t slot) const;
    const StoredScales* outScales(std::size_t port) const;
    // The first reads of TFLite's variables.
    const FirstReads& firstReads()
    {
        if (!m_firstReads)
            m_firstReads.emplace(source());
        return *m_firstReads;
    }
    // Returns the version of ONNX' operators, for those whose meaning has changed.
    std::int64_t opset() const;

protected:
    void setNode(NodeId id);
    // Returns the tensor that the slot reads; nothing if it is omitted or dangling.
    std::optional<Endpoint> endpoint(std::size_t slot) const;
    // Returns the input string of the file's graph.
    std::string_view inputText(std::size_t slot) const;
    // Returns the file's declaration of a tensor.
    const TensorFacts& declared(Endpoint tensor) const { return m_tensors.facts(tensor); }
    const StoredScales* scalesOf(Endpoint tensor) const { return m_tensors.scales(tensor); }

private:
    const Graph& m_source;
    mutable StoredTensors m_tensors;
    std::optional<FirstReads> m_firstReads;
    CodedOperators m_coded;
    NodeId m_id;
    std::vector<std::optional<std::size_t>> m_slots; // indices of the node's inputs
};

} // namespace lapidary
