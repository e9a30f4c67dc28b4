// SPDX-License-Identifier: Apache-2.0
// lower_control_flow
//
// If, StatelessIf, Case, While and StatelessWhile become Switch and Merge, and Enter, Exit,
// NextIteration and LoopCond: the control flow that TensorFlow 1's runtimes and transforms know.
// Declines functions that call themselves and conditions that are not a bool. Not an original
// transform.
#include "transforms/functions/expand_nodes.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

constexpr Expander::Kinds kinds{.branches = true, .loops = true};

Result<Findings> find(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    return findExpansions(graph, kinds, job);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return expandNodes(graph, args, kinds, job);
}

} // namespace

const Pass passes::lowerControlFlow{
    .name = "lower_control_flow",
    .summary = "Lowers If, Case and While to Switch, Merge and loop nodes in the graph.",
    .before = "y = If(p, x)  then: Relu(a)  else: Neg(a)",
    .after = "y/Switch = Switch(x, p)\n"
             "y/then/r = Relu(y/Switch:1)\n"
             "y/else/n = Neg(y/Switch)\n"
             "y/Merge = Merge(y/then/r, y/else/n)",
    .declines = "Conditions that are not a single bool, loops without variables, and functions "
                "that are recursive, missing from the library or do not fit the node. Calls inside "
                "branches and loops stay: use inline_functions for them.",
    .differences = notOriginal,
    .find = find,
    .run = run,
};

} // namespace lapidary
