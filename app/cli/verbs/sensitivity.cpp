// SPDX-License-Identifier: Apache-2.0
// sensitivity: finds the layers that suffer from 8 bits.
#include "transforms/accuracy/sensitivity.h"

#include "app/base/exit_codes.h"
#include "app/cli/probe_flags.h"
#include "app/cli/size_flags.h"
#include "app/cli/verb_call.h"
#include "graph_model/base/printable.h"

#include <cstdio>
#include <ostream>

namespace lapidary {
namespace {

struct SensitivityOptions {
    ProbeFlags probes;
    std::string form = "pt8";
};

Json answerJson(const Sensitivity& found, const SensitivityOptions& wanted)
{
    Json layers = Json::array();
    for (const std::size_t i : worstFirst(found)) {
        const SensitiveLayer& layer = found.layers[i];
        layers.push_back({{"name", layer.name},
                          {"op", layer.op},
                          {"order", i},
                          {"noise", numberJson(layer.noise.ratio)},
                          {"sqnr_db", numberJson(layer.noise.sqnrDb())},
                          {"share", numberJson(found.shareOf(layer))},
                          {"agreement", layer.noise.top1 ? Json(*layer.noise.top1) : Json()}});
    }
    return {{"form", wanted.form},
            {"probes", found.probes},
            {"seed", wanted.probes.seed},
            {"all",
             {{"noise", numberJson(found.all.ratio)}, {"sqnr_db", numberJson(found.all.sqnrDb())}}},
            {"layers", std::move(layers)}};
}

void printAnswer(const Sensitivity& found, const SensitivityOptions& wanted, std::ostream& out)
{
    char text[200];
    const bool isFed = found.probes == 1 && !wanted.probes.run.feeds.empty();
    const std::string probes =
        isFed ? "what is fed"
              : std::to_string(found.probes) +
                    (wanted.probes.samples.empty() ? " made-up input" : " sample") +
                    (found.probes == 1 ? "" : "s");
    std::snprintf(text, sizeof text,
                  "%zu layer%s, each alone as %s, on %s; all together: %.1f dB\n",
                  found.layers.size(), found.layers.size() == 1 ? "" : "s", wanted.form.c_str(),
                  probes.c_str(), found.all.sqnrDb());
    out << text << "  order   SQNR dB   share  layer\n";
    for (const std::size_t i : worstFirst(found)) {
        const SensitiveLayer& layer = found.layers[i];
        std::snprintf(text, sizeof text, "%7zu %9.1f %6.1f%%  ", i, layer.noise.sqnrDb(),
                      100 * found.shareOf(layer));
        out << text << printable(layer.name) << " (" << printable(layer.op) << ")\n";
    }
}

int runSensitivity(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    SensitivityOptions wanted;
    call.addFile("the graph with the layers to quantize");
    call.addJson();
    call.options()
        .add_option("--form", wanted.form,
                    "pt8: 8 bits with one scale; pc8: a scale for each channel; pt16, pc16: 16 "
                    "bits. Default: pt8")
        ->check(CLI::IsMember({"pt8", "pc8", "pt16", "pc16"}));
    addProbeOptions(call.options(), wanted.probes);
    if (const auto done = call.parse(arguments))
        return *done;
    const auto plan = planOf(wanted.probes);
    if (!plan)
        return call.wrongUse(plan.error().message);
    BoxGrants grants = grantsOf(wanted.probes.run, call.file());
    grants.readable.emplace_back(wanted.probes.samples);
    if (const auto outside = startGuarded(wanted.probes.run.guard, grants, console))
        return *outside;
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const auto found = measureSensitivity(
        *opened.entry, call.file(),
        {wanted.probes.inputs, wanted.probes.outputs, *formNamed(wanted.form), *plan}, console.job);
    if (!found)
        return failWith(withProposedSizes(found.error().within(shownPath(call.file())),
                                          *opened.entry, console.job),
                        console);
    if (call.wantsJson())
        printJson(answerJson(*found, wanted), console);
    else
        printAnswer(*found, wanted, console.out);
    return exit_code::done;
}

} // namespace

const Verb verbs::sensitivity{
    .name = "sensitivity",
    .synopsis = "sensitivity FILE",
    .summary = "Ranks the layers by the noise that 8-bit weights cause, each quantized alone.",
    .example = "lapidary sensitivity model.pb --form pc8",
    .run = runSensitivity,
    .chapter = "accuracy",
    .runsGraphs = true,
};

} // namespace lapidary
