// SPDX-License-Identifier: Apache-2.0
// sensitivity: which layers suffer from 8 bits.
#include "transforms/accuracy/sensitivity.h"

#include "app/base/exit_codes.h"
#include "app/cli/probe_flags.h"
#include "app/cli/size_flags.h"
#include "app/cli/verb_call.h"
#include "graph_model/base/printable.h"
#include "transforms/accuracy/accuracy_base.h"
#include "transforms/accuracy/form_recipe.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace lapidary {
namespace {

struct SensitivityOptions {
    ProbeFlags probes;
    std::string form = "pt8";
};

LayerForm formOf(const std::string& name)
{
    const auto forms = allLayerForms();
    const auto found = std::ranges::find(forms, name, formName);
    return found == forms.end() ? LayerForm::Tensor8 : *found;
}

// The layers of a graph, with the noise of each, and of all at once.
struct Sensitivity {
    GraphPtr graph;
    std::vector<LayerNoise> layers; // in execution order
    Noise all;
    std::size_t probes = 0;

    double sum() const
    {
        double total = 0;
        for (const LayerNoise& layer : layers)
            total += layer.noise.ratio;
        return total;
    }
};

Result<Sensitivity> measure(const GraphEntry& entry, const std::string& path,
                            const SensitivityOptions& wanted, const Job& job)
{
    ASSIGN_OR_RETURN(const ProbePlan plan, planOf(wanted.probes));
    ASSIGN_OR_RETURN(const AccuracyBase base,
                     accuracyBase(entry, wanted.probes.inputs, wanted.probes.outputs, job));
    GraphEntry folded = entry;
    folded.graph = base.graph;
    ASSIGN_OR_RETURN(const NoiseMeter meter,
                     NoiseMeter::make(folded, path,
                                      measuredTensors(*base.graph, base.fitted.outputs), plan,
                                      job));
    const LayerForm form = formOf(wanted.form);
    Sensitivity found{base.graph, {}, {}, meter.probes()};
    ASSIGN_OR_RETURN(found.layers, layerNoises(base.graph, meter, {form}, job));
    NamedForms forms;
    for (const LayerNoise& layer : found.layers)
        forms.emplace_back(base.graph->node(layer.layer.product).name(), form);
    ASSIGN_OR_RETURN(const GraphPtr all, withForms(base.graph, forms, job));
    ASSIGN_OR_RETURN(found.all, meter.of(all, job));
    return found;
}

std::vector<std::size_t> worstFirst(const Sensitivity& found)
{
    std::vector<std::size_t> order(found.layers.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t i) { return found.layers[i].noise.ratio; });
    return order;
}

Json answerJson(const Sensitivity& found, const SensitivityOptions& wanted)
{
    Json layers = Json::array();
    for (const std::size_t i : worstFirst(found)) {
        const LayerNoise& layer = found.layers[i];
        const Node& node = found.graph->node(layer.layer.product);
        layers.push_back({{"name", std::string(node.name())},
                          {"op", std::string(node.op())},
                          {"order", i},
                          {"noise", numberJson(layer.noise.ratio)},
                          {"sqnr_db", numberJson(layer.noise.sqnrDb())},
                          {"share", numberJson(layer.noise.ratio / found.sum())},
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
    std::snprintf(
        text, sizeof text, "%zu layer%s, each alone as %s, on %zu %s; all together: %.1f dB\n",
        found.layers.size(), found.layers.size() == 1 ? "" : "s", wanted.form.c_str(), found.probes,
        wanted.probes.samples.empty() ? "made-up inputs" : "samples", found.all.sqnrDb());
    out << text << "  order   SQNR dB   share  layer\n";
    for (const std::size_t i : worstFirst(found)) {
        const LayerNoise& layer = found.layers[i];
        const Node& node = found.graph->node(layer.layer.product);
        const double sum = found.sum();
        std::snprintf(text, sizeof text, "%7zu %9.1f %6.1f%%  ", i, layer.noise.sqnrDb(),
                      sum > 0 ? 100 * layer.noise.ratio / sum : 0);
        out << text << printable(node.name()) << " (" << printable(node.op()) << ")\n";
    }
}

int runSensitivity(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    SensitivityOptions wanted;
    call.addFile("the graph whose layers are to be quantized");
    call.addJson();
    call.options()
        .add_option("--form", wanted.form,
                    "pt8: 8 bits with one scale; pc8: a scale for each channel; pt16, pc16: 16 "
                    "bits. Default: pt8")
        ->check(CLI::IsMember({"pt8", "pc8", "pt16", "pc16"}));
    addProbeOptions(call.options(), wanted.probes);
    if (const auto done = call.parse(arguments))
        return *done;
    if (const auto plan = planOf(wanted.probes); !plan)
        return call.wrongUse(plan.error().message);
    BoxGrants grants = grantsOf(wanted.probes.run, call.file());
    grants.readable.emplace_back(wanted.probes.samples);
    if (const auto outside = startGuarded(wanted.probes.run.guard, grants, console))
        return *outside;
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const auto found = measure(*opened.entry, call.file(), wanted, console.job);
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
    .summary = "Says which layers suffer most from 8-bit weights, each quantized alone.",
    .example = "lapidary sensitivity model.pb --form pc8",
    .run = runSensitivity,
    .runsGraphs = true,
};

} // namespace lapidary
