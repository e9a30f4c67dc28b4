// SPDX-License-Identifier: Apache-2.0
// inline_functions
//
// PartitionedCall, StatefulPartitionedCall and nodes whose op is a function of the graph's library
// become the nodes of the function, calls within calls too. Declines functions that call themselves
// and calls that do not fit their function. Not an original transform.
#include "transforms/functions/expand_nodes.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

constexpr Expander::Kinds kinds{.calls = true};

Result<Findings> find(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    return findExpansions(graph, kinds, job);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return expandNodes(graph, args, kinds, job);
}

} // namespace

const Pass passes::inlineFunctions{
    .name = "inline_functions",
    .summary = "Inlines function calls, so that other passes see the nodes of the functions.",
    .before = "y = PartitionedCall(x, w)  f: product = MatMul(a, b), return product",
    .after = "y/product = MatMul(x, w)\n"
             "y = Identity(y/product)  (only where y is an output)",
    .declines =
        "Calls of recursive functions, of functions missing from the library, and of functions "
        "that do not fit the call. If, Case and While stay: use lower_control_flow for them.",
    .differences = notOriginal,
    .find = find,
    .run = run,
};

} // namespace lapidary
