// SPDX-License-Identifier: Apache-2.0
// Promises of every pass in the table, tried on the graphs of all recorded cases with their
// recorded parameters, and on all models. A new pass is tried on the models by itself.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"
#include "tests/graph_testing.h"
#include "tests/transforms/lineage_fault.h"
#include "transforms/recipe/preview.h"
#include "transforms/recipe/recipe.h"

#include <algorithm>
#include <filesystem>

namespace lapidary::goldens {
namespace {

using nlohmann::json;

constexpr std::uintmax_t largestModel = 4U << 20U; // bytes

GraphPtr readGraph(const std::string& bytes, const std::string& name)
{
    if (bytes.empty())
        return Graph::make({});
    const auto model = readModelBytes(bytes, name, Job());
    if (!model || model.value().isRefused() || model.value().graphs.empty())
        return nullptr;
    return model.value().graphs.front().graph;
}

Job cancelledJob()
{
    std::stop_source stop;
    stop.request_stop();
    return Job(stop.get_token());
}

std::string cancelFault(const Pass& pass, const GraphPtr& graph, const PassArgs& args)
{
    const auto cancelled = pass.run(graph, args, cancelledJob());
    if (!cancelled && cancelled.error().code != ErrorCode::Cancelled)
        return "cancelled, it fails otherwise: " + cancelled.error().message;
    if (cancelled && cancelled.value().graph != graph)
        return lineageFault(*graph, cancelled.value(), false);
    return "";
}

bool isChanged(const Graph& graph, NodeId id, const EditResult& edit)
{
    const NodeId now = edit.lineage.successor[id.value];
    const bool isMoved = now != id && edit.graph->size() == graph.size();
    return !now.isValid() || isMoved || edit.graph->nodes()[now.value] != graph.nodes()[id.value];
}

// Returns whether a finding names a node, or a reader of one.
bool isChanged(const Graph& graph, const Finding& finding, const EditResult& edit)
{
    return std::ranges::any_of(finding.nodes, [&](NodeId id) {
        return isChanged(graph, id, edit) ||
               std::ranges::any_of(graph.consumers(id), [&](const Consumer& consumer) {
                   return isChanged(graph, consumer.node, edit);
               });
    });
}

// The preview and the pass must agree.
std::string previewFault(const Pass& pass, const GraphPtr& graph, const PassArgs& args,
                         const EditResult& edit)
{
    if (pass.find == nullptr)
        return "it has no preview";
    const auto findings = pass.find(graph, args, Job());
    if (!findings)
        return "the preview fails: " + findings.error().message;
    for (const Finding& finding : *findings) {
        if (finding.nodes.empty())
            return "the preview names no node";
        for (const NodeId id : finding.nodes)
            if (id.value >= graph->size())
                return "the preview names a node that does not exist";
        if (finding.why.empty() && !isChanged(*graph, finding, edit))
            return "the preview finds " + std::string(graph->node(finding.nodes[0]).name()) +
                   ", which the pass does not rewrite";
    }
    const std::size_t places = matchesOf(*findings);
    return places == edit.places ? ""
                                 : "the preview finds " + std::to_string(places) + " places, but " +
                                       std::to_string(edit.places) + " are rewritten";
}

// The reports of the window and the command line before and after a step.
std::string recipeFault(const Pass& pass, const GraphPtr& graph, const PassArgs& args)
{
    const Recipe recipe{{std::string(pass.name), args.parameters}};
    const auto preview = previewRecipe(graph, recipe, args.inputs, args.outputs, Job());
    const RecipeRun run = runRecipe(graph, recipe, args.inputs, args.outputs, Job());
    if (preview.ok() != run.ok())
        return "the preview fails, or only the step does";
    return !run.ok() || preview.value()[0].places == run.states[0].edit.places
               ? ""
               : "the step rewrites another number of places than its preview says";
}

// Of overlapping matches, only the first one is rewritten, as in the original; further runs may
// find the others, but must come to an end.
std::string endFault(const Pass& pass, GraphPtr graph, const PassArgs& args)
{
    constexpr int mostRuns = 30;
    const std::size_t mostNodes = 2 * graph->size() + 100;
    for (int run = 0; run < mostRuns && graph->size() <= mostNodes; ++run) {
        const auto again = pass.run(graph, args, Job());
        // The original fails as well if the log names a frozen node.
        if (!again && pass.name == "freeze_requantization_ranges")
            return "";
        // The first run removed or renamed the node that the parameters name.
        if (!again && pass.name == "rename_node" &&
            again.error().message.find("the graph has no node") != std::string::npos)
            return "";
        if (!again)
            return "a second run fails: " + again.error().message;
        if (again->graph == graph)
            return "";
        graph = again->graph;
    }
    return "further runs change the graph for ever";
}

std::string promiseFault(const Pass& pass, const GraphPtr& graph, const PassArgs& args)
{
    const auto once = pass.run(graph, args, Job());
    if (!once)
        return ""; // other tests record what may fail
    if (std::string fault = lineageFault(*graph, *once, once->graph == graph); !fault.empty())
        return fault;
    if (std::string fault = cancelFault(pass, graph, args); !fault.empty())
        return fault;
    if (std::string fault = previewFault(pass, graph, args, *once); !fault.empty())
        return fault;
    return pass.repeats ? "" : endFault(pass, once->graph, args);
}

std::vector<std::string> names(const json& list)
{
    std::vector<std::string> result;
    for (const json& entry : list)
        result.push_back(entry.get<std::string>());
    return result;
}

void runCases(const std::filesystem::path& file, Tally& tally)
{
    for (const json& testCase : loadCases(file)) {
        const auto recipe =
            parseRecipe(testCase["transforms"].get<std::string>(), RecipeSyntax::Original);
        if (!recipe || testCase.contains("graph_file"))
            continue;
        GraphPtr graph = readGraph(decodeBase64(testCase["graph"].get<std::string>()), "graph");
        for (std::size_t i = 0; graph != nullptr && i < recipe.value().size(); ++i) {
            const RecipeStep& step = recipe.value()[i];
            const Pass* pass = findPass(step.pass);
            if (pass == nullptr)
                break;
            const PassArgs args{names(testCase["inputs"]), names(testCase["outputs"]),
                                step.parameters};
            const std::string name = file.stem().string() + "/" +
                                     testCase["name"].get<std::string>() + "/" + std::to_string(i) +
                                     " " + step.pass;
            std::string fault = promiseFault(*pass, graph, args);
            if (fault.empty())
                fault = recipeFault(*pass, graph, args);
            tally.check(fault.empty(), name, fault);
            const auto next = pass->run(graph, args, Job());
            graph = next ? next.value().graph : nullptr;
        }
    }
}

// Returns a pass that renames every Relu to "r", with any preview.
Pass relusRenamer(decltype(Pass::find) find)
{
    Pass pass;
    pass.name = "rename_relus";
    pass.find = find;
    pass.run = [](const GraphPtr& graph, const PassArgs&, const Job&) {
        GraphEdit edit(graph);
        for (std::uint32_t i = 0; i < graph->size(); ++i)
            if (graph->node(NodeId{i}).op() == "Relu")
                edit.rename(NodeId{i}, "r");
        return std::move(edit).finish();
    };
    return pass;
}

std::string faultOf(decltype(Pass::find) find)
{
    const GraphPtr net = graph("x = Placeholder()\na = Relu(x)\ny = Neg(x)\n");
    return promiseFault(relusRenamer(find), net, {});
}

// Returns fitting values for required parameters.
PassArgs argumentsFor(const Pass& pass, const Graph& graph)
{
    PassArgs args;
    for (const ParameterSpec& spec : pass.parameters) {
        if (!spec.isRequired)
            continue;
        const bool isNew = spec.name.starts_with("new_");
        const bool isAttribute = spec.role == ParameterRole::Attribute;
        args.parameters.add(std::string(spec.name), isNew         ? "Quite_New"
                                                    : isAttribute ? "T"
                                                                  : "Identity");
    }
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const std::string name(graph.node(NodeId{i}).name());
        if (graph.node(NodeId{i}).op() == "Placeholder")
            args.inputs.push_back(name);
        else if (graph.consumers(NodeId{i}).empty())
            args.outputs.push_back(name);
    }
    return args;
}

void runModel(const std::filesystem::path& file, Tally& tally)
{
    const auto model = readModel(file, Job(), ReadOptions{.check = false});
    if (!model || model.value().isRefused() || model.value().graphs.empty())
        return;
    const GraphPtr graph = model.value().graphs.front().graph;
    for (const Pass* pass : allPasses()) {
        const std::string fault = promiseFault(*pass, graph, argumentsFor(*pass, *graph));
        tally.check(fault.empty(), file.filename().string() + " " + std::string(pass->name), fault);
    }
}

} // namespace

TEST_CASE("passes keep their promises on every recorded graph", "[promises]")
{
    Tally tally("promises");
    const auto before = std::filesystem::current_path();
    for (const char* folder : {"goldens/transforms", "goldens/recipes"}) {
        if (!present(folder))
            continue;
        std::filesystem::current_path(dataRoot()); // recipes name files relative to it
        for (const auto& file : caseFiles(folder))
            runCases(file, tally);
        std::filesystem::current_path(before);
    }
    tally.finish();
}

TEST_CASE("passes keep their promises on every model", "[promises]")
{
    if (!present("models"))
        return;
    Tally tally("promises_models");
    for (const json& model : loadJson(dataRoot() / "models/models.json")) {
        const std::string name = model["path"].get<std::string>();
        const std::filesystem::path path = dataRoot() / name;
        if (!std::filesystem::exists(path))
            isSelection() ? tally.skipped(name, "not in the choice of models")
                          : tally.fails(name, "the model is missing");
        else if (std::filesystem::is_directory(path) ||
                 std::filesystem::file_size(path) <= largestModel)
            runModel(path, tally);
        else
            tally.skipped(name, "too large for every pass");
    }
    tally.finish();
}

TEST_CASE("a preview that does not say what its pass does is found", "[promises]")
{
    using Found = Result<Findings>;
    const auto none = [](const GraphPtr&, const PassArgs&, const Job&) {
        return Found(Findings());
    };
    const auto right = [](const GraphPtr&, const PassArgs&, const Job&) {
        return Found(Findings{{{NodeId{1}}, ""}});
    };
    const auto other = [](const GraphPtr&, const PassArgs&, const Job&) {
        return Found(Findings{{{NodeId{2}}, ""}});
    };
    const auto nobody = [](const GraphPtr&, const PassArgs&, const Job&) {
        return Found(Findings{{{}, ""}});
    };
    const auto outside = [](const GraphPtr&, const PassArgs&, const Job&) {
        return Found(Findings{{{NodeId{7}}, ""}});
    };
    const auto fails = [](const GraphPtr&, const PassArgs&, const Job&) {
        return Found(Error{ErrorCode::Internal, "broken"});
    };
    CHECK(faultOf(right) == "");
    CHECK(faultOf(nullptr) == "it has no preview");
    CHECK(faultOf(none).find("finds 0 places, but 1") != std::string::npos);
    CHECK(faultOf(other).find("finds y") != std::string::npos);
    CHECK(faultOf(nobody).find("names no node") != std::string::npos);
    CHECK(faultOf(outside).find("does not exist") != std::string::npos);
    CHECK(faultOf(fails).find("broken") != std::string::npos);
}

} // namespace lapidary::goldens
