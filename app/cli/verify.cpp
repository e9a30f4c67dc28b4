// verify: whether two graphs compute the same, and where they part.
#include "app/cli/exit_codes.h"
#include "app/cli/verification.h"

namespace lapidary {
namespace {

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    VerifySettings settings;
    std::string other;
    call.addFile("the graph that is right");
    call.addJson();
    call.options().add_option("OTHER", other, "the graph to verify")->required();
    call.options()
        .add_option("--inputs", settings.inputs, "what is fed; the likely inputs")
        ->delimiter(',');
    call.options()
        .add_option("--outputs", settings.outputs, "what is compared; the likely outputs")
        ->delimiter(',');
    addVerifyOptions(call, settings);
    if (const auto done = call.parse(arguments))
        return *done;
    const std::string path = call.file();
    const OpenedModel a = openModel(call, ReadOptions{.check = false}, console);
    if (a.entry == nullptr)
        return a.exitCode;
    call.file() = other;
    const OpenedModel b = openModel(call, ReadOptions{.check = false}, console);
    if (b.entry == nullptr)
        return b.exitCode;
    const auto verification = verifyEntries(*a.entry, path, *b.entry, other, settings, console.job);
    if (!verification)
        return failWith(verification.error(), console);
    if (call.wantsJson())
        printJson(verificationJson(verification.value()), console);
    else
        printVerification(verification.value(), console.out);
    return verification.value().isSame() ? exit_code::done : exit_code::found;
}

} // namespace

const Verb verbs::verify{
    .name = "verify",
    .summary = "Says whether two graphs compute the same, and where they part.",
    .example = "lapidary verify model.pb small.pb --outputs softmax",
    .run = run,
};

} // namespace lapidary
