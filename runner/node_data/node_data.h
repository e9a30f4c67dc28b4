// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The number that the box of a scope shows for its nodes.
enum class ScopeNumber { Largest, Smallest, Sum, Mean };

// A number of a node. The key is the name of the node or of one of its tensors ("x:0").
struct NodeNumber {
    std::string key;
    double number = 0;

    bool operator==(const NodeNumber&) const = default;
};

// Numbers for the nodes of a graph: a column of a table, or node data of Model Explorer.
struct NodeData {
    std::string name;   // "latency"
    std::string unit;   // "ms"; empty: unknown
    std::string source; // the file or the computation that they come from
    ScopeNumber ofScope = ScopeNumber::Largest;
    std::vector<NodeNumber> numbers; // finite ones, in the order of the file
    std::int64_t withoutNumber = 0;  // keys whose value is a text or missing
};

// Reads a CSV file (a header, a column of names, columns of numbers; commas, semicolons or tabs) or
// a JSON file: {"node": 1.5, ...}, {"name": ..., "unit": ..., "values": {...}}, a list of rows
// {"node": ..., "latency": 3, ...}, or node data of Model Explorer for one graph or several. Colors
// that the file gives are not read. Errors name the file and the position.
Result<std::vector<NodeData>> readNodeData(const std::filesystem::path& path, const Job& job);
// Reads from bytes; `file` is its name, for errors and for columns without a name.
Result<std::vector<NodeData>> parseNodeData(std::string_view bytes, const std::string& file,
                                            const Job& job);

} // namespace lapidary
