// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace lapidary {

// The names that a .tflite or .onnx file has for its tensors. Keeps a reference to the entry's
// graph.
class FileNames {
public:
    explicit FileNames(const GraphEntry& entry);

    // Returns "node:1" for the name of a tensor in the file, with or without ":0" at the end. The
    // file's own inputs and outputs have priority, then nodes, then all other tensors; an unknown
    // name is returned unchanged.
    std::string tensor(const std::string& name) const;

private:
    const Graph& m_graph;
    std::unordered_map<std::string_view, std::string_view> m_ends; // the file's interface
    struct Output {
        NodeId node;
        std::int32_t port = 0;
    };
    std::unordered_map<std::string_view, Output> m_outputs;
};

} // namespace lapidary
