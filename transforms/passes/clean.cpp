// clean
//
//   before:  add(Identity(a), b), a and b the same Const, and a node nobody needs
//   after:   add(a, a)
//
// Removes copies, merges equal nodes and drops dead ones, until nothing changes any more or the
// rounds are used up. Not an original transform.
#include "transforms/pass/edit_chain.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "max_rounds",
                  .type = "int32",
                  .defaultText = "20",
                  .help = "stop after so many rounds, finished or not"},
};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto rounds = args.parameters.oneInt32("max_rounds", 20);
    if (!rounds)
        return rounds.error();
    if (rounds.value() < 1)
        return Error{ErrorCode::InvalidArgument, "max_rounds must be at least 1"};
    const std::array steps{&passes::removeIdentity, &passes::mergeDuplicateNodes,
                           &passes::removeDeadNodes};
    EditChain edits(graph);
    std::size_t changes = 1;
    for (std::int32_t round = 0; round < rounds.value() && changes > 0; ++round) {
        changes = 0;
        for (const Pass* step : steps) {
            const auto changed = edits.apply(step->run(edits.graph(), args, job));
            if (!changed)
                return changed.error();
            changes += changed.value();
        }
    }
    return std::move(edits).finish();
}

} // namespace

const Pass passes::clean{
    .name = "clean",
    .summary = "Removes copies, equal nodes and dead ones until nothing is left to do.",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
