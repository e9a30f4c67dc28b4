// SPDX-License-Identifier: Apache-2.0
// clean
//
// Removes copies, merges equal nodes and drops dead ones, until nothing changes any more or the
// rounds are used up. Not an original transform.
#include "transforms/pass/edit_chain.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "max_rounds",
                  .type = ParameterType::Int32,
                  .defaultText = "20",
                  .help = "maximum number of rounds"},
};

// `findings`, unless null, get the nodes that are rewritten.
Result<EditResult> cleanUp(const GraphPtr& graph, const PassArgs& args, const Job& job,
                           Findings* findings)
{
    ASSIGN_OR_RETURN(const auto rounds, args.parameters.oneInt32("max_rounds", 20));
    if (rounds < 1)
        return Error{ErrorCode::InvalidArgument, "max_rounds must be at least 1"};
    const std::array steps{&passes::removeIdentity, &passes::mergeDuplicateNodes,
                           &passes::removeDeadNodes};
    EditChain edits(graph);
    std::size_t changes = 1;
    for (std::int32_t round = 0; round < rounds && changes > 0; ++round) {
        changes = 0;
        for (const Pass* step : steps) {
            if (findings != nullptr) {
                ASSIGN_OR_RETURN(auto found, step->find(edits.graph(), args, job));
                std::erase_if(found, [](const Finding& finding) { return !finding.why.empty(); });
                for (Finding& finding : edits.inBase(std::move(found)))
                    findings->push_back(std::move(finding));
            }
            ASSIGN_OR_RETURN(const auto changed, edits.apply(step->run(edits.graph(), args, job)));
            changes += changed;
        }
    }
    return std::move(edits).finish();
}

} // namespace

const Pass passes::clean{
    .name = "clean",
    .summary = "Removes identities, duplicates and dead nodes until nothing changes.",
    .before = "i = Identity(a)\n"
              "y = Add(i, b), b equal to a, and a node that no output needs",
    .after = "y = Add(a, a)",
    .declines = "What remove_identity, merge_duplicate_nodes and remove_dead_nodes leave alone. "
                "Ends after max_rounds rounds at the latest.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = OneWalk<cleanUp>::find,
    .run = OneWalk<cleanUp>::run,
};

} // namespace lapidary
