// SPDX-License-Identifier: Apache-2.0
// optimize: optimizes a frozen graph as optimize_for_inference does.
#include "app/cli/pass_verb.h"

namespace lapidary {
namespace {

int runOptimize(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    return runPassVerb(verb, "optimize_for_inference", arguments, console);
}

} // namespace

const Verb verbs::optimize{
    .name = "optimize",
    .synopsis = "optimize FILE --inputs a --outputs b -o OUT",
    .summary = "Strips, folds and fuses a frozen graph, like optimize_for_inference.",
    .example = "lapidary optimize frozen.pb --inputs image --outputs softmax -o fast.pb",
    .run = runOptimize,
    .chapter = "device",
};

} // namespace lapidary
