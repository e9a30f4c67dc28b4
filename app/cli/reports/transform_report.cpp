// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reports/transform_report.h"

#include "graph_model/base/printable.h"
#include "graph_model/summary/number_text.h"
#include "graph_model/summary/summary.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace lapidary {
namespace {

std::string shown(std::uint64_t bytes)
{
    return humanReadableNumber(std::int64_t(bytes));
}

std::string row(std::string_view name, const Graph& graph, const GraphSize& size, double seconds)
{
    char line[240];
    std::snprintf(line, sizeof line, "%-32.32s %9zu nodes %10s bytes%s %10s parameters %9.3f s",
                  std::string(name).c_str(), graph.size(), shown(size.bytes).c_str(),
                  size.gzipBytes ? (", " + shown(*size.gzipBytes) + " gzip").c_str() : "",
                  humanReadableNumber(summarize(graph).constParameters).c_str(), seconds);
    return line;
}

struct OpBytes {
    std::string op;
    std::uint64_t before = 0;
    std::uint64_t after = 0;
};

// Returns the bytes by op, the largest first.
std::vector<OpBytes> bytesByOp(const RecipeSizes& sizes)
{
    std::map<std::string, OpBytes> ops;
    for (const auto& [op, bytes] : sizes.before.ops)
        ops[op].before = bytes;
    for (const auto& [op, bytes] : sizes.after().ops)
        ops[op].after = bytes;
    std::vector<OpBytes> list;
    for (auto& [op, entry] : ops)
        list.push_back({op, entry.before, entry.after});
    std::ranges::stable_sort(list, [](const OpBytes& a, const OpBytes& b) {
        return std::max(a.before, a.after) > std::max(b.before, b.after);
    });
    return list;
}

std::string sizeText(const RecipeSizes& sizes)
{
    constexpr std::size_t most = 12; // number of ops shown; --json has all
    const std::vector<OpBytes> ops = bytesByOp(sizes);
    std::string text = "bytes by op, before and after\n";
    char line[200];
    for (std::size_t i = 0; i < std::min(most, ops.size()); ++i) {
        std::snprintf(line, sizeof line, "  %-30.30s %10s %10s\n", printable(ops[i].op).c_str(),
                      shown(ops[i].before).c_str(), shown(ops[i].after).c_str());
        text += line;
    }
    if (ops.size() > most)
        text += "  and " + std::to_string(ops.size() - most) + " smaller ones\n";
    return sizes.remark.empty() ? text : text + sizes.remark + "\n";
}

Json sizeJson(const RecipeSizes& sizes)
{
    Json ops = Json::object();
    for (const OpBytes& entry : bytesByOp(sizes))
        ops[entry.op] = {{"before", entry.before}, {"after", entry.after}};
    return {{"op_bytes", std::move(ops)}, {"remark", sizes.remark}};
}

Json stateJson(const Graph& graph, const GraphSize& size)
{
    const Summary summary = summarize(graph);
    Json json = {
        {"nodes", graph.size()}, {"parameters", summary.constParameters}, {"bytes", size.bytes}};
    if (size.gzipBytes)
        json["gzip_bytes"] = *size.gzipBytes;
    json["ops"] = summary.ops;
    return json;
}

std::string placesText(std::size_t places)
{
    return std::to_string(places) + (places == 1 ? " place" : " places");
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
                              {"type", parameterTypeName(spec.type)},
                              {"default", spec.isRequired ? Json(nullptr) : Json(spec.defaultText)},
                              {"help", spec.help},
                              {"required", spec.isRequired},
                              {"repeated", spec.isRepeated}});
    return {{"name", pass.name},
            {"summary", pass.summary},
            {"parameters", std::move(parameters)},
            {"before", pass.before},
            {"after", pass.after},
            {"declines", pass.declines},
            {"differences", pass.differences},
            {"repeats", pass.repeats},
            {"previews", pass.find != nullptr}};
}

Json statsJson(const GraphPtr& before, const RecipeRun& run, const RecipeSizes& sizes)
{
    Json steps = Json::array();
    for (std::size_t i = 0; i < run.states.size(); ++i) {
        const RecipeState& state = run.states[i];
        Json step = {{"pass", state.pass->name},
                     {"rewrites", state.edit.places},
                     {"changes", state.edit.changes}};
        step.update(stateJson(*state.edit.graph, sizes.steps[i]));
        step["seconds"] = state.seconds;
        steps.push_back(std::move(step));
    }
    Json json = {{"before", stateJson(*before, sizes.before)}, {"steps", std::move(steps)}};
    json.update(sizeJson(sizes));
    return json;
}

std::string statsText(const GraphPtr& before, const RecipeRun& run, const RecipeSizes& sizes)
{
    std::string text = row("before", *before, sizes.before, 0) + "\n";
    for (std::size_t i = 0; i < run.states.size(); ++i) {
        const RecipeState& state = run.states[i];
        text += row(state.pass->name, *state.edit.graph, sizes.steps[i], state.seconds) + "  " +
                placesText(state.edit.places) + " rewritten\n";
    }
    return text + sizeText(sizes);
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
                          {"rewrites", step.places},
                          {"changes", step.changes}});
    }
    return {{"passes", std::move(passes)}};
}

std::string previewText(const RecipePreview& preview)
{
    std::string text;
    for (const StepPreview& step : preview) {
        text += std::string(step.pass->name) + ": " + placesText(step.places) +
                " would be rewritten, " + std::to_string(step.changes) +
                (step.changes == 1 ? " node" : " nodes") + " changed\n";
        for (const Finding& finding : step.findings)
            text += (finding.why.empty() ? "  rewrites " : "  leaves   ") +
                    std::string(step.graph->node(finding.nodes.front()).name()) +
                    (finding.why.empty() ? "" : ": " + finding.why) + "\n";
    }
    return text;
}

} // namespace lapidary
