// SPDX-License-Identifier: Apache-2.0
#include "transforms/edits/node_edits.h"

namespace lapidary {

Result<EditResult> editNodes(const GraphPtr& graph, const Job& job,
                             const std::function<bool(const Node&)>& concerns,
                             const std::function<Status(const Node&, NodeDraft&)>& change)
{
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        const Node& node = graph->node(NodeId{i});
        if (!concerns(node))
            continue;
        NodeDraft draft = NodeDraft::of(node);
        if (const Status status = change(node, draft); !status)
            return Error{status.error().code,
                         std::string(node.name()) + ": " + status.error().message};
        edit.replace(NodeId{i}, std::move(draft));
    }
    return std::move(edit).finish();
}

Result<EditResult> editFields(const GraphPtr& graph, const Job& job,
                              const std::function<bool(const Node&)>& concerns,
                              const GraphEdit::Fields& fields)
{
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        if (concerns(graph->node(NodeId{i})))
            edit.setFields(NodeId{i}, fields);
    }
    return std::move(edit).finish();
}

Result<Findings> findNodes(const GraphPtr& graph, const Job& job,
                           const std::function<bool(const Node&)>& concerns)
{
    Findings findings;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        if (concerns(graph->node(NodeId{i})))
            findings.push_back({{NodeId{i}}, ""});
    }
    return findings;
}

} // namespace lapidary
