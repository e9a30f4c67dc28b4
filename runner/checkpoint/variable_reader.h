// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/graph/graph.h"
#include "graph_model/read/bound_inputs.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lapidary {

// Finds the values of a graph's variables in one checkpoint, under one of these names:
//   the name and slice that the graph's RestoreV2 reads for it, in a function too;
//   the key of the object that a SavedModel's functions are traced with, `bound`;
//   the name of the node, or its shared_name;
//   the full name in the object graph of an object-based checkpoint
//     ("model/dense/kernel/.ATTRIBUTES/VARIABLE_VALUE");
//   for a node `x/part_1` a slice of the variable `x`, by the shapes of all of its parts.
// Used by one thread at a time, because it keeps what it finds out about a graph.
class VariableReader {
public:
    // Fails if the checkpoint cannot be read; the message names its file.
    static Result<VariableReader> open(GraphPtr graph, const std::filesystem::path& checkpoint,
                                       const Job& job, const BoundInputs& bound = {});

    // Reads the stored value of a variable's node. Errors: NotFound if the checkpoint has none, and
    // InvalidArgument if its dtype or shape differs from the node's.
    Result<CheckpointValue> read(NodeId variable) const;
    // Fails like read() if there is no such variable or its dtype or shape differs, but reads no
    // values.
    Status fits(NodeId variable) const;
    // Returns the position in a file of the bytes of a value of the node's dtype and shape, if they
    // are in the needed order. Returns nothing if there are fewer than `fewestBytes`, or if only
    // read() can get the value.
    std::optional<CheckpointPlace> place(NodeId variable, std::uint64_t fewestBytes,
                                         PlaceChecks checks) const;
    struct Stored { // the key, and the part of its value; an empty slice: all of it
        std::string key;
        Slice slice;
    };
    // The key is empty if the checkpoint has no such variable.
    Stored find(NodeId variable) const;
    const Checkpoint& checkpoint() const { return *m_checkpoint; }

private:
    VariableReader(GraphPtr graph, CheckpointPtr checkpoint, const BoundInputs& bound);
    void readObjectGraph(const BoundInputs& bound);
    Status agreesWith(NodeId variable, const Stored& stored, DType dtype,
                      const std::vector<std::int64_t>& dims) const;
    Stored restoredBy(const Graph& graph, Endpoint value) const;
    const Stored& restored(const Graph& graph, NodeId variable, int depth) const;
    Stored restoredIn(const Node& call, std::uint32_t slot, int depth) const;
    std::string stringAt(const Graph& graph, Endpoint list, std::int32_t at) const;
    struct PartAxis {
        std::string key; // of the whole variable
        std::size_t rank = 0;
        std::size_t axis = 0;
        auto operator<=>(const PartAxis&) const = default;
    };
    std::optional<std::int64_t> startOf(const PartAxis& of, std::int64_t part) const;
    Stored partOf(NodeId variable) const;

    // What was found for one variable and can be reused for others.
    struct Known {
        std::unordered_map<const Node*, std::vector<std::string>> lists; // of names and slices
        std::map<std::pair<const Node*, int>, Stored> restored;          // by node and depth
        std::map<PartAxis, std::vector<std::int64_t>> starts;            // by part
    };

    GraphPtr m_graph;
    CheckpointPtr m_checkpoint;
    // Of object-based checkpoints.
    std::map<std::string, std::string, std::less<>> m_keyOfFullName;
    std::map<std::string, std::string, std::less<>> m_keyOfNode;
    mutable Known m_known;
};

} // namespace lapidary
