// SPDX-License-Identifier: Apache-2.0
// strip: keeps what the outputs need from the inputs, as strip_unused does.
#include "app/cli/pass_verb.h"

namespace lapidary {
namespace {

int runStrip(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    return runPassVerb(verb, "strip_unused", arguments, console);
}

} // namespace

const Verb verbs::strip{
    .name = "strip",
    .synopsis = "strip FILE --inputs a --outputs b -o OUT",
    .summary = "Turns the inputs into placeholders and keeps only the nodes that the outputs need.",
    .example = "lapidary strip model.pb --inputs image --outputs softmax -o net.pb",
    .run = runStrip,
    .chapter = "device",
};

} // namespace lapidary
