// verify: whether two graphs compute the same, and where they part.
#include "app/cli/verification.h"

namespace lapidary {
namespace {

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    VerifySettings settings;
    call.addFile("the graph that is right");
    call.addJson();
    call.addOther("the graph to verify");
    call.options()
        .add_option("--inputs", settings.inputs, "what is fed; the likely inputs")
        ->delimiter(',');
    call.options()
        .add_option("--outputs", settings.run.fetches, "what is compared; the likely outputs")
        ->delimiter(',');
    bool wantsNodes = false;
    call.options().add_flag("--nodes", wantsNodes, "a row for each tensor on the way");
    addVerifyOptions(call, settings);
    if (const auto done = call.parse(arguments))
        return *done;
    const OpenedPair graphs = openBoth(call, console);
    if (graphs.failure)
        return *graphs.failure;
    const auto verification = verifyEntries(*graphs.first.entry, call.file(), *graphs.second.entry,
                                            call.other(), settings, console.job);
    if (!verification)
        return failWith(verification.error(), console);
    if (wantsNodes && !call.wantsJson())
        printNodes(verification.value(), console.out);
    if (call.wantsJson())
        printJson(verificationJson(verification.value()), console);
    else
        printVerification(verification.value(), console.out);
    return verificationCode(verification.value(), console);
}

} // namespace

const Verb verbs::verify{
    .name = "verify",
    .summary = "Says whether two graphs compute the same, and where they part.",
    .example = "lapidary verify model.pb small.pb --outputs softmax",
    .run = run,
};

} // namespace lapidary
