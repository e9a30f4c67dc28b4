// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/session.h"
#include "transforms/pass/pass.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

using TestAttrs = std::vector<std::pair<std::string, AttrBytes>>; // encoded, see lapidary::attr

// Builds graphs that can run, node by node. Required type attributes are float unless given.
class GraphBuilder {
public:
    GraphBuilder& node(std::string name, std::string op, std::vector<std::string> inputs = {},
                       const TestAttrs& attrs = {});
    GraphBuilder& placeholder(std::string name, std::vector<std::int64_t> dims);
    // The last value is repeated if some are missing.
    GraphBuilder& floats(std::string name, std::vector<std::int64_t> dims,
                         std::vector<float> values);
    GraphBuilder& ints(std::string name, std::vector<std::int64_t> dims,
                       std::vector<std::int32_t> values);
    GraphPtr build() const;

private:
    std::vector<NodePtr> m_nodes;
};

// Runs the step "foo(a=1, b=2)" on a graph and checks the promises of every pass: the graph is the
// same object if and only if nothing changed, and the lineage has the origin and the successors of
// every node.
Result<EditResult> applyPass(std::string_view step, const GraphPtr& graph,
                             std::vector<std::string> inputs, std::vector<std::string> outputs);
// Does the same and requires success; returns the new graph.
GraphPtr passed(std::string_view step, const GraphPtr& graph, std::vector<std::string> inputs,
                std::vector<std::string> outputs);

// Returns an empty text if both graphs compute the same fetches, within `tolerance` of the largest
// value and with small numbers fed to placeholders; else the first difference.
std::string computesOther(const GraphPtr& before, const GraphPtr& after,
                          const std::vector<std::string>& fetches, double tolerance = 1e-5);

bool hasNode(const GraphPtr& graph, std::string_view name);
std::string opOf(const GraphPtr& graph, std::string_view name);
// "x, w:1, ^c"
std::string inputsOf(const GraphPtr& graph, std::string_view name);
std::vector<float> floatsOf(const GraphPtr& graph, std::string_view name);

} // namespace lapidary
