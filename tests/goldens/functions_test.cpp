// SPDX-License-Identifier: Apache-2.0
// Functions inlined and control flow lowered: the graphs of all recorded cases with functions
// compute the numbers recorded with the calls, and TensorFlow's import accepts them as before.
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/goldens/calls.h"
#include "tests/goldens/golden_data.h"
#include "tests/goldens/run_cases.h"
#include "tests/transforms/lineage_fault.h"
#include "transforms/fold/import_check.h"
#include "transforms/pass/pass.h"
#include "transforms/recipe/recipe.h"

#include <algorithm>
#include <filesystem>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* passNames[] = {"inline_functions", "lower_control_flow"};

struct Expanded {
    GraphPtr graph;
    std::string fault;
};

// Runs both passes until neither finds a match.
Expanded expanded(GraphPtr graph, const std::vector<std::string>& outputs)
{
    PassArgs args;
    args.outputs = outputs;
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (const char* name : passNames) {
            const auto edit = findPass(name)->run(graph, args, Job());
            if (!edit)
                return {graph, std::string(name) + ": " + edit.error().message};
            if (const std::string fault = lineageFault(*graph, *edit, edit->graph == graph);
                !fault.empty())
                return {graph, std::string(name) + ": " + fault};
            isChanged |= edit->graph != graph;
            graph = edit->graph;
        }
    }
    return {graph, {}};
}

// Returns the calls that are left although no pass declines them.
std::string leftCall(const GraphPtr& graph)
{
    for (const char* name : passNames) {
        const auto findings = findPass(name)->find(graph, {}, Job());
        if (!findings)
            return findings.error().message;
        for (const Finding& finding : *findings)
            if (finding.why.empty())
                return std::string(graph->node(finding.nodes.front()).name()) + " is left";
    }
    return {};
}

std::vector<std::string> outputsOf(const json& steps)
{
    std::vector<std::string> names;
    for (const json& step : steps)
        for (const char* key : {"fetches", "targets"})
            for (const json& name : step.value(key, json::array()))
                names.push_back(name.get<std::string>());
    for (const json& step : steps) {
        const json feeds = step.value("feeds", json::object());
        for (auto feed = feeds.begin(); feed != feeds.end(); ++feed)
            names.push_back(feed.key());
    }
    return names;
}

void runCase(const json& testCase, const fs::path& file, Tally& tally)
{
    const json steps = testCase.value("steps", json::array({testCase}));
    const auto model =
        readModelBytes(decodeBase64(testCase["graph"].get<std::string>()), "graph.pb", Job());
    if (!model || model->isRefused() || model->hasErrors() || model->graphs.empty())
        return;
    const GraphPtr before = model->graphs.front().graph;
    if (before->functions() == nullptr || callsIn(*before) == 0)
        return;
    const std::string name = file.stem().string() + "/" + testCase["name"].get<std::string>();
    const Expanded after = expanded(before, outputsOf(steps));
    std::string what = after.fault.empty() ? leftCall(after.graph) : after.fault;
    if (after.graph == before && what.empty()) {
        tally.count("declined");
        return;
    }
    if (what.empty() && importShapes(*before, {}, false, Job()))
        if (const auto imports = importShapes(*after.graph, {}, false, Job()); !imports)
            what = "does not import: " + imports.error().message;
    Session session(after.graph, {.folder = file.parent_path().string()});
    json tol = testCase.value("tol", json::object());
    if (testCase.value("note", "").find("hash order") != std::string::npos)
        tol["any_order"] = true;
    for (const json& step : steps) {
        if (!what.empty() || step.value("unstable", testCase.value("unstable", false)))
            break;
        what = compareStep(session, step, tol).difference;
    }
    tally.check(what.empty(), name, what);
}

} // namespace

TEST_CASE("expanded functions compute what was recorded with the calls", "[functions]")
{
    if (!present("goldens/flow"))
        return;
    Tally tally("functions");
    for (const char* file : {"built.jsonl", "functional.jsonl", "functions.jsonl"}) {
        const fs::path path = dataRoot() / "goldens/flow" / file;
        if (!fs::exists(path))
            continue;
        for (const json& testCase : loadCases(path))
            runCase(testCase, path, tally);
    }
    tally.finish();
}

} // namespace lapidary::goldens
