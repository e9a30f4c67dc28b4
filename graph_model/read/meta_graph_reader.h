// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// One collection of a MetaGraphDef, as views into the file.
struct Collection {
    std::string_view name;
    std::string_view kind;                // "node_list", "bytes_list"...; empty: none is set
    std::vector<std::string_view> values; // of node, bytes and any lists
    std::size_t count = 0;
};

struct MetaGraphRead {
    GraphEntry entry;     // its graph is never null
    Problems problems;    // of the parts around the graph
    std::string envelope; // the MetaGraphDef with an empty graph_def
    std::vector<Collection> collections;
    std::string_view filenameTensor; // SaverDef
    std::string_view saveTensor;
    std::string_view restoreOp;
    bool hasGraph = false;
    bool isGraphDamaged = false;
    bool hasSaver = false;
};

// Reads a MetaGraphDef inside `owner`'s bytes. `isCut`: the end of the message is missing from the
// file.
Result<MetaGraphRead> readMetaGraph(std::string_view message, const BufferPtr& owner, int depth,
                                    bool isCut, const Job& job);

// Returns the variables that the nodes of a graph refer to.
std::vector<VariableInfo> variablesOf(const Graph& graph);

} // namespace lapidary
