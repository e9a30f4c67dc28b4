// add_default_attributes
//
//   before:  lrn = LRN(x)        after:  lrn = LRN(x) {alpha=1, beta=0.5, bias=1, depth_radius=5,
//   T=float}
//
// Every attribute that the op declares with a default and the node lacks. A node that calls a
// function of the graph's library takes the function's defaults. Ops that nobody knows are an
// error.
#include "transforms/pass/default_attributes.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

Result<EditResult> run(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return Error{ErrorCode::Cancelled, "the pass was cancelled"};
        const Node& node = graph->node(NodeId{i});
        const auto missing = missingDefaults(*graph, node);
        if (!missing)
            return Error{missing.error().code,
                         std::string(node.name()) + ": " + missing.error().message};
        if (missing.value().empty())
            continue;
        NodeDraft draft = NodeDraft::of(node);
        for (const auto& [name, value] : missing.value())
            draft.setAttr(name, value);
        edit.replace(NodeId{i}, std::move(draft));
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::addDefaultAttributes{
    .name = "add_default_attributes",
    .summary = "Writes out every attribute that a node leaves to its op's default.",
    .run = run,
};

} // namespace lapidary
