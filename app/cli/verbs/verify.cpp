// SPDX-License-Identifier: Apache-2.0
// verify: tells whether two graphs compute the same, and where they begin to differ.
#include "app/cli/size_flags.h"
#include "app/cli/verification.h"
#include "transforms/verify/loss_reason.h"

namespace lapidary {
namespace {

int runVerify(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    VerifyFlags flags;
    call.addFile("the reference graph");
    call.addJson();
    call.addOther("the graph to verify");
    call.options()
        .add_option("--inputs", flags.inputs, "tensors to feed; default: the likely inputs")
        ->delimiter(',');
    call.options()
        .add_option("--outputs", flags.run.fetches,
                    "tensors to compare; default: the likely outputs")
        ->delimiter(',');
    bool wantsNodes = false;
    call.options().add_flag("--nodes", wantsNodes, "print a row for each intermediate tensor");
    addVerifyOptions(call, flags);
    if (const auto done = call.parse(arguments))
        return *done;
    BoxGrants grants = grantsOf(flags, call.file());
    grantModel(call.other(), grants);
    if (const auto outside = startGuarded(flags.run.guard, grants, console))
        return *outside;
    const OpenedPair graphs = openBoth(call, console);
    if (graphs.failure)
        return *graphs.failure;
    const auto plan = planOf(flags);
    if (!plan)
        return failWith(plan.error(), console);
    const auto verification =
        verifyGraphs({*graphs.first.entry, call.file()}, {*graphs.second.entry, call.other()},
                     *plan, console.job);
    if (!verification)
        return failWith(withProposedSizes(verification.error(), *graphs.first.entry, console.job),
                        console);
    const bool acceptsLoss =
        acceptsSmallLoss(flags, *graphs.first.entry->graph, *graphs.second.entry->graph);
    if (wantsNodes && !call.wantsJson())
        printNodes(*verification, console.out);
    const std::string reason = lossReason(*graphs.second.entry->graph, *verification);
    if (call.wantsJson())
        printJson(verificationJson(*verification, acceptsLoss, reason), console);
    else
        printVerification(*verification, acceptsLoss, console.out);
    if (!reason.empty())
        console.complain(reason);
    return verificationCode(*verification, acceptsLoss, console);
}

} // namespace

const Verb verbs::verify{
    .name = "verify",
    .synopsis = "verify FILE OTHER",
    .summary = "Runs two graphs on the same inputs and reports where their results differ.",
    .example = "lapidary verify model.pb small.pb --outputs softmax",
    .run = runVerify,
    .chapter = "comparing",
    .runsGraphs = true,
};

} // namespace lapidary
