// SPDX-License-Identifier: Apache-2.0
// freeze: turns the variables of a trained model into constants and keeps what the outputs need.
#include "app/base/exit_codes.h"
#include "app/cli/freezing.h"
#include "app/cli/graph_output.h"
#include "app/cli/guard.h"
#include "app/cli/verb_call.h"
#include "graph_model/base/text.h"
#include "graph_model/write/graph_def_source.h"

#include <ostream>

namespace lapidary {
namespace {

struct FreezeOptions {
    FreezeFlags flags;
    GuardFlags guard;
    std::string out;
    std::string ignored; // flags of freeze_graph for facts that the file itself tells
    int checkpointVersion = 2;
};

void declare(VerbCall& call, FreezeOptions& wanted)
{
    call.addFile("a GraphDef, MetaGraphDef (.meta) or SavedModel folder");
    call.addJson();
    CLI::App& options = call.options();
    FreezeFlags& flags = wanted.flags;
    options.get_option("FILE")->required(false);
    options.add_option("--input_graph,--input-graph", flags.graph, "the same as FILE");
    options.add_option("--input_meta_graph,--input-meta-graph", flags.metaGraph,
                       "the same as FILE, a MetaGraphDef");
    options.add_option("--input_saved_model_dir,--input-saved-model-dir", flags.savedModel,
                       "the same as FILE, a SavedModel");
    options.add_option("--checkpoint,--input_checkpoint,--input-checkpoint", flags.checkpoint,
                       "prefix of the checkpoint, such as train/model.ckpt-1000; default: the "
                       "checkpoint that belongs to FILE");
    options
        .add_option("--outputs,--output_node_names,--output-node-names", flags.outputs,
                    "nodes or tensors to keep; default: the outputs of the signature")
        ->delimiter(',');
    options.add_option("--signature", flags.signature,
                       "keep the outputs of this signature; default: serving_default");
    options.add_option("-o,--output,--output_graph,--output-graph", wanted.out,
                       "the file to write (.pb: binary, .pbtxt: text); - for standard output");
    options
        .add_option("--tags,--saved_model_tags,--saved-model-tags", flags.tags,
                    "tags of the graph in a SavedModel; default: serve, or the only set of tags "
                    "that contains it")
        ->delimiter(',');
    options
        .add_option("--initializers,--initializer_nodes,--initializer-nodes", flags.initializers,
                    "nodes that initialize variables after the checkpoint is restored")
        ->delimiter(',');
    options
        .add_option("--only,--variable_names_whitelist,--variable-names-whitelist", flags.only,
                    "freeze only these variables")
        ->delimiter(',');
    options
        .add_option("--except,--variable_names_blacklist,--variable-names-blacklist", flags.except,
                    "keep these as variables")
        ->delimiter(',');
    options.add_flag("--clear_devices,--clear-devices,!--keep-devices", flags.clearDevices,
                     "remove the devices of all nodes; on by default");
    options
        .add_option("--checkpoint_version,--checkpoint-version", wanted.checkpointVersion,
                    "1 or 2; accepted, but detected from the file")
        ->check(CLI::Range(1, 2));
    addGuardOptions(options, wanted.guard);
    for (const char* name :
         {"--input_saver,--input-saver", "--input_binary,--input-binary",
          "--restore_op_name,--restore-op-name", "--filename_tensor_name,--filename-tensor-name"})
        options.add_option(name, wanted.ignored, "accepted, but detected from the files")
            ->expected(0, 1);
}

std::vector<std::string> namesOf(const Graph& graph, const std::vector<NodeId>& nodes)
{
    std::vector<std::string> names;
    for (const NodeId id : nodes)
        names.emplace_back(graph.node(id).name());
    return names;
}

void report(const FreezeOutcome& outcome, const VerbCall& call, const std::string& out,
            Console& console)
{
    const Graph& before = *outcome.before;
    const FrozenModel& model = outcome.model;
    const Graph& after = *model.frozen.edit.graph;
    const std::vector<std::string> frozen = namesOf(before, model.frozen.variables);
    const std::vector<std::string> kept = namesOf(before, model.frozen.kept);
    if (call.wantsJson() && out != "-") {
        printJson({{"frozen", frozen},
                   {"variables", kept},
                   {"inputs", model.inputs},
                   {"outputs", model.outputs},
                   {"nodes", {{"before", before.size()}, {"after", after.size()}}}},
                  console);
        return;
    }
    console.err << frozen.size() << (frozen.size() == 1 ? " variable" : " variables") << " frozen; "
                << before.size() << " nodes became " << after.size()
                << "; outputs: " << listed(model.outputs) << '\n';
    if (!kept.empty())
        console.err << "still variables, as asked: " << listed(kept) << '\n';
}

// Deferred checksums are compared while the file is written, before it gets its name. If one does
// not match, freezing again finds out which.
int writeFrozen(const FrozenModel& model, const FreezeOptions& wanted, Console& console)
{
    const Graph& graph = *model.frozen.edit.graph;
    if (model.unchecked.empty())
        return writeGraph(graph, wanted.out, writesText(wanted.out, false), console);
    const Status written =
        writeFileAtomically(wanted.out, checkedSource(graphDefSource(graph), model.unchecked));
    if (written)
        return exit_code::done;
    if (written.error().code != ErrorCode::BadFile)
        return failWith(written.error(), console);
    const auto again = freezeAsAsked(wanted.flags, console.job);
    return failWith(again ? written.error() : again.error(), console);
}

int runFreeze(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    FreezeOptions wanted;
    declare(call, wanted);
    if (const auto done = call.parse(arguments))
        return *done;
    FreezeFlags& flags = wanted.flags;
    if (flags.graph.empty())
        flags.graph = call.file();
    if (flags.model().empty())
        return call.wrongUse("name the model to freeze");
    if (flags.model() == "-")
        return call.wrongUse("freeze needs a file or folder to find the checkpoint beside it; it "
                             "cannot read standard input");
    if (wanted.out.empty())
        return call.wrongUse("name the file to write with -o");
    if (const std::string why = overwritten(flags.model(), wanted.out); !why.empty())
        return call.wrongUse(why);
    BoxGrants grants = grantsOf(flags);
    grants.writable.emplace_back(wanted.out);
    if (const auto outside = startGuarded(wanted.guard, grants, console))
        return *outside;
    const bool isWrittenWhole = wanted.out != "-" && !writesText(wanted.out, false);
    const auto outcome = freezeAsAsked(flags, console.job, isWrittenWhole);
    if (!outcome)
        return failWith(outcome.error(), console);
    for (const std::string& said : {outcome->damage, outcome->taken})
        if (!said.empty())
            console.complain(said);
    const int code = writeFrozen(outcome->model, wanted, console);
    if (code == exit_code::done) {
        report(*outcome, call, wanted.out, console);
        if (const std::string lost = lostFillers(*outcome); !lost.empty())
            console.complain(wanted.out + ": warning: " + lost);
    }
    return code;
}

} // namespace

const Verb verbs::freeze{
    .name = "freeze",
    .synopsis = "freeze FILE -o OUT",
    .summary = "Turns the variables of a trained model into constants.",
    .example = "lapidary freeze saved_model/ -o frozen.pb --signature serving_default",
    .run = runFreeze,
    .chapter = "freezing",
    .runsGraphs = true,
};

} // namespace lapidary
