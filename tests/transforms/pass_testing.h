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

// Graphs that can be run, node by node. Type attributes that an op demands are float if not given.
class GraphBuilder {
public:
    GraphBuilder& node(std::string name, std::string op, std::vector<std::string> inputs = {},
                       const TestAttrs& attrs = {});
    GraphBuilder& placeholder(std::string name, std::vector<std::int64_t> dims);
    // Values that are missing repeat the last one.
    GraphBuilder& floats(std::string name, std::vector<std::int64_t> dims,
                         std::vector<float> values);
    GraphBuilder& ints(std::string name, std::vector<std::int64_t> dims,
                       std::vector<std::int32_t> values);
    GraphPtr build() const;

private:
    std::vector<NodePtr> m_nodes;
};

// "foo(a=1, b=2)" on a graph, with what holds for every pass: the very same graph if and only if
// nothing was changed, and a lineage that knows where every node came from and went.
Result<EditResult> applyPass(std::string_view step, const GraphPtr& graph,
                             std::vector<std::string> inputs, std::vector<std::string> outputs);
// The same where it has to succeed: the new graph.
GraphPtr passed(std::string_view step, const GraphPtr& graph, std::vector<std::string> inputs,
                std::vector<std::string> outputs);

// "" where both graphs compute the same for the fetches, within `tolerance` of the largest value
// and with placeholders fed with small numbers; else what differs.
std::string computesOther(const GraphPtr& before, const GraphPtr& after,
                          const std::vector<std::string>& fetches, double tolerance = 1e-5);

bool hasNode(const GraphPtr& graph, std::string_view name);
std::string opOf(const GraphPtr& graph, std::string_view name);
// "x, w:1, ^c"
std::string inputsOf(const GraphPtr& graph, std::string_view name);
std::vector<float> floatsOf(const GraphPtr& graph, std::string_view name);

} // namespace lapidary
