// SPDX-License-Identifier: Apache-2.0
// add_default_attributes
//
// Adds every attribute that the op declares with a default and the node lacks. A node that
// calls a function of the graph's library takes the function's defaults. Unknown ops are an
// error.
#include "transforms/attributes/default_attributes.h"
#include "transforms/passes/passes.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

using Attrs = std::vector<std::pair<std::string, std::string>>;

// Calls `use` for every node that lacks attributes.
Status eachIncomplete(const Graph& graph, const Job& job,
                      const std::function<void(NodeId, const Attrs&)>& use)
{
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        const Node& node = graph.node(NodeId{i});
        const auto missing = missingDefaults(graph, node);
        if (!missing)
            return Error{missing.error().code,
                         std::string(node.name()) + ": " + missing.error().message};
        if (!missing->empty())
            use(NodeId{i}, *missing);
    }
    return Done{};
}

Result<Findings> find(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    Findings findings;
    RETURN_IF_ERROR(eachIncomplete(*graph, job, [&](NodeId id, const Attrs&) {
        findings.push_back({{id}, ""});
    }));
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    GraphEdit edit(graph);
    RETURN_IF_ERROR(eachIncomplete(*graph, job, [&](NodeId id, const Attrs& missing) {
        NodeDraft draft = NodeDraft::of(graph->node(id));
        for (const auto& [name, value] : missing)
            draft.setAttr(name, value);
        edit.replace(id, std::move(draft));
    }));
    return std::move(edit).finish();
}

} // namespace

const Pass passes::addDefaultAttributes{
    .name = "add_default_attributes",
    .summary = "Adds every attribute that a node leaves at the default of its op.",
    .before = "lrn = LRN(x)",
    .after = "lrn = LRN(x) {alpha=1, beta=0.5, bias=1, depth_radius=5, T=float}",
    .declines = "Existing attributes. An op that is neither a function of the graph nor in the op "
                "registry is an error.",
    .find = find,
    .run = run,
};

} // namespace lapidary
