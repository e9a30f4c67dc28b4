// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "tests/runner/kernels/one_node.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// Nodes that a node needs beside it, such as the table that it looks into.
struct Setting {
    std::vector<NodeDraft> nodes;
    std::vector<std::pair<std::string, Value>> feeds; // placeholders among the nodes
};

// Stands for an input that a node of a setting makes. A kernel never sees it: runCulprit() puts the
// setting into the graph and wires the input.
class MadeInput : public Resource {
public:
    MadeInput(std::shared_ptr<const Setting> setting, std::string source)
        : m_setting(std::move(setting))
        , m_source(std::move(source))
    {
    }
    const Setting& setting() const { return *m_setting; }
    const std::string& source() const { return m_source; } // "node:port"

private:
    std::shared_ptr<const Setting> m_setting;
    std::string m_source;
};

struct KnownNode {
    NodeDraft node; // without its inputs
    std::vector<Value> inputs;
};

// A node that runs, from known_nodes.txt; nothing where chance finds one. Faults of the file end
// the test that asks.
std::optional<KnownNode> knownNode(std::string_view op);
// The functions that the nodes call: F, of a float; C, its condition; B, with a number before it.
std::shared_ptr<const FunctionLibrary> knownFunctions();

} // namespace lapidary
