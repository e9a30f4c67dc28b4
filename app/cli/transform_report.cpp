#include "app/cli/transform_report.h"

#include "graph_model/summary/number_text.h"
#include "graph_model/summary/summary.h"
#include "graph_model/write/write_model.h"

#include <cstdio>

namespace lapidary {
namespace {

// Of the GraphDef as it would be written.
std::uint64_t bytesOf(const Graph& graph)
{
    std::uint64_t bytes = 0;
    for (const NodePtr& node : graph.nodes())
        bytes += node->encoded().size() + 2;
    return bytes;
}

std::string row(std::string_view name, std::size_t nodes, std::uint64_t bytes,
                std::int64_t parameters, double seconds)
{
    char line[200];
    std::snprintf(line, sizeof line, "%-32.32s %9zu nodes %10s bytes %10s parameters %9.3f s\n",
                  std::string(name).c_str(), nodes,
                  humanReadableNumber(std::int64_t(bytes)).c_str(),
                  humanReadableNumber(parameters).c_str(), seconds);
    return line;
}

Json namesJson(const Graph& graph, const std::vector<NodeId>& nodes)
{
    Json names = Json::array();
    for (const NodeId id : nodes)
        names.push_back(graph.node(id).name());
    return names;
}

} // namespace

Json passJson(const Pass& pass)
{
    Json parameters = Json::array();
    for (const ParameterSpec& spec : pass.parameters)
        parameters.push_back({{"name", spec.name},
                              {"type", spec.type},
                              {"default", spec.isRequired ? Json(nullptr) : Json(spec.defaultText)},
                              {"help", spec.help},
                              {"required", spec.isRequired},
                              {"repeated", spec.isRepeated}});
    return {{"name", pass.name},
            {"summary", pass.summary},
            {"parameters", std::move(parameters)},
            {"repeats", pass.repeats},
            {"previews", pass.find != nullptr}};
}

std::string passText(const Pass& pass)
{
    std::string text = std::string(pass.name) + ": " + std::string(pass.summary) + "\n";
    for (const ParameterSpec& spec : pass.parameters) {
        text += "  " + std::string(spec.name) + " (" + std::string(spec.type);
        if (spec.isRequired)
            text += ", required";
        if (spec.isRepeated)
            text += ", may be repeated";
        if (!spec.defaultText.empty())
            text += ", default " + std::string(spec.defaultText);
        text += "): " + std::string(spec.help) + "\n";
    }
    return text;
}

Json statsJson(const GraphPtr& before, const RecipeRun& run)
{
    const auto facts = [](const Graph& graph) -> Json {
        const Summary summary = summarize(graph);
        return {{"nodes", graph.size()},
                {"parameters", summary.constParameters},
                {"bytes", bytesOf(graph)},
                {"ops", summary.ops}};
    };
    Json steps = Json::array();
    for (const RecipeState& state : run.states) {
        Json step = {{"pass", state.pass->name}, {"rewrites", state.edit.changes}};
        step.update(facts(*state.edit.graph));
        step["seconds"] = state.seconds;
        steps.push_back(std::move(step));
    }
    return {{"before", facts(*before)}, {"steps", std::move(steps)}};
}

std::string statsText(const GraphPtr& before, const RecipeRun& run)
{
    std::string text =
        row("before", before->size(), bytesOf(*before), summarize(*before).constParameters, 0);
    for (const RecipeState& state : run.states) {
        const Graph& graph = *state.edit.graph;
        text += row(state.pass->name, graph.size(), bytesOf(graph),
                    summarize(graph).constParameters, state.seconds);
    }
    return text;
}

Json previewJson(const RecipePreview& preview)
{
    Json passes = Json::array();
    for (const StepPreview& step : preview) {
        Json matches = Json::array();
        Json misses = Json::array();
        for (const Finding& finding : step.findings) {
            Json entry = {{"nodes", namesJson(*step.graph, finding.nodes)}};
            if (!finding.why.empty())
                entry["why"] = finding.why;
            (finding.why.empty() ? matches : misses).push_back(std::move(entry));
        }
        passes.push_back({{"pass", step.pass->name},
                          {"matches", std::move(matches)},
                          {"near_misses", std::move(misses)},
                          {"changes", step.changes}});
    }
    return {{"passes", std::move(passes)}};
}

std::string previewText(const RecipePreview& preview)
{
    std::string text;
    for (const StepPreview& step : preview) {
        text += std::string(step.pass->name) + ": " + std::to_string(step.changes) +
                " nodes would change\n";
        for (const Finding& finding : step.findings)
            text += (finding.why.empty() ? "  rewrites " : "  leaves   ") +
                    std::string(step.graph->node(finding.nodes.front()).name()) +
                    (finding.why.empty() ? "" : ": " + finding.why) + "\n";
    }
    return text;
}

} // namespace lapidary
