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

// The nodes that a node needs beside it, such as the table that it looks into.
struct Setting {
    std::vector<NodeDraft> nodes;
    std::vector<std::pair<std::string, Value>> feeds; // placeholders among the nodes
};

// Represents an input that a node of a setting makes. A kernel never gets it: runCulprit() adds the
// setting to the graph and connects the input.
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

// Returns a node of known_nodes.txt that runs; nothing if random nodes of the op run. A fault in
// the file fails the test that asks.
std::optional<KnownNode> knownNode(std::string_view op);
// The functions that the nodes call: F of a float, C its condition, and B, which takes a number
// first.
std::shared_ptr<const FunctionLibrary> knownFunctions();

} // namespace lapidary
