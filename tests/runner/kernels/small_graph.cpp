// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/kernels/small_graph.h"

#include "runner/execute/exec_graph.h"
#include "tests/graph_testing.h"

namespace lapidary {

SmallGraph& SmallGraph::node(std::string name, std::string op, std::vector<std::string> inputs,
                             const NodeAttrs& attrs)
{
    NodeDraft draft;
    draft.name = std::move(name);
    draft.op = std::move(op);
    draft.inputs = std::move(inputs);
    draft.attrs.assign(attrs.begin(), attrs.end());
    m_nodes.push_back(std::move(draft));
    return *this;
}

SmallGraph& SmallGraph::input(std::string name, DType dtype)
{
    return node(std::move(name), "Placeholder", {}, {{"dtype", attr::fromType(dtype)}});
}

Result<std::vector<Value>> SmallGraph::runAll(const std::vector<std::string>& fetches,
                                              const Feeds& feeds)
{
    if (!m_session) {
        Graph::Parts parts;
        for (const NodeDraft& node : m_nodes)
            parts.nodes.push_back(node.finish());
        m_session.emplace(typed(Graph::make(std::move(parts))),
                          SessionOptions{.memoryLimit = std::uint64_t(1) << 28});
    }
    RunRequest request{.feeds = feeds};
    for (const std::string& fetch : fetches) {
        const auto node = std::ranges::find(m_nodes, fetch, &NodeDraft::name);
        if (node != m_nodes.end() && outputCount(*node->finish()) == 0)
            request.targets.push_back(fetch);
        else
            request.fetches.push_back(fetch);
    }
    return m_session->run(request, Job());
}

Result<Value> SmallGraph::run(const std::string& fetch, const Feeds& feeds)
{
    ASSIGN_OR_RETURN(auto all, runAll({fetch}, feeds));
    return all.empty() ? Value() : all.front();
}

std::string SmallGraph::fault(const std::string& target, const Feeds& feeds)
{
    const auto done = runAll({target}, feeds);
    return done ? "" : done.error().message;
}

std::string typesAttr(const std::vector<DType>& types)
{
    std::string list; // ListValue.type = 6, packed; AttrValue.list = 1
    for (const DType type : types)
        list += char(type);
    list = std::string("\x32") + char(list.size()) + list;
    return std::string("\x0a") + char(list.size()) + list;
}

} // namespace lapidary
