// SPDX-License-Identifier: Apache-2.0
// What the Graph Transform Tool made of a graph, transform by transform and recipe by recipe.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"
#include "tests/goldens/run_cases.h"
#include "tests/goldens/same_graph.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>
#include <filesystem>

namespace lapidary::goldens {
namespace {

using nlohmann::json;

Result<GraphPtr> readGraph(const std::string& bytes, const std::string& name)
{
    if (bytes.empty())
        return Graph::make({});
    ASSIGN_OR_RETURN(auto model, readModelBytes(bytes, name, Job()));
    if (model.isRefused() || model.graphs.empty())
        return Error{ErrorCode::BadFile, "no graph"};
    return model.graphs.front().graph;
}

// The names as the tool sees them: joined by commas and split again.
std::vector<std::string> names(const json& list)
{
    std::vector<std::string> result;
    for (const json& entry : list) {
        const std::string text = entry.get<std::string>();
        for (std::size_t start = 0; start <= text.size();) {
            const std::size_t comma = std::min(text.find(',', start), text.size());
            result.push_back(text.substr(start, comma - start));
            start = comma + 1;
        }
    }
    return result;
}

std::string inputBytes(const json& testCase)
{
    if (testCase.contains("graph_file"))
        return readBytes(dataRoot() / testCase["graph_file"].get<std::string>());
    return decodeBase64(testCase["graph"].get<std::string>());
}

std::string compareResult(const json& testCase, const GraphPtr& ours)
{
    if (!testCase.contains("result"))
        return "";
    const auto expected = readGraph(decodeBase64(testCase["result"].get<std::string>()), "result");
    if (!expected)
        return ours->size() == 0 ? "" : "the recorded result has no nodes";
    const std::string recipe = testCase["transforms"].get<std::string>();
    // The original merges nodes in the order of their hashes, and leaves them in that order.
    const bool merges = recipe.find("quantize_nodes") != std::string::npos ||
                        recipe.find("merge_duplicate_nodes") != std::string::npos;
    std::string difference = differenceTo(*ours, **expected, merges);
    if (!difference.empty() || merges || !recipe.ends_with("sort_by_execution_order"))
        return difference;
    for (std::uint32_t i = 0; i < ours->size(); ++i)
        if (ours->node(NodeId{i}).name() != (*expected)->node(NodeId{i}).name())
            return "node " + std::to_string(i) + " is " +
                   std::string(ours->node(NodeId{i}).name()) + ", recorded " +
                   std::string((*expected)->node(NodeId{i}).name());
    return "";
}

std::string compareAnswers(const std::vector<Value>& answers, const json& expected, const json& tol)
{
    for (std::size_t i = 0; i < answers.size(); ++i)
        if (std::string what = compareTensor(answers[i], expected[i], tol); !what.empty())
            return what;
    return "";
}

// Whether the transformed graph computes what the graph computed before, on the recorded feeds: how
// a case holds that is transformed in another way on purpose. Where the original's result computed
// something else itself (coarse weights, ranges that cut), that will do.
std::string numbersAfter(const json& testCase, const GraphPtr& graph)
{
    if (!testCase.contains("check"))
        return "; was not run";
    const json& check = testCase["check"];
    Session session(graph, {});
    for (const json& init : check.value("init", json::array()))
        if (graph->find(init.get<std::string>()).isValid())
            (void)session.run({.feeds = {}, .fetches = {}, .targets = {init}}, Job());
    RunRequest request;
    for (const auto& [name, tensor] : check["feeds"].items()) {
        auto value = decodeTensor(tensor, session.pool());
        if (!value)
            return "; feed: " + value.error().message;
        request.feeds.emplace_back(name, *std::move(value));
    }
    request.fetches = check["fetches"].get<std::vector<std::string>>();
    const auto answer = session.run(request, Job());
    if (!answer)
        return "; does not run: " + answer.error().message;
    const std::string what = compareAnswers(*answer, check["before"], check["tol"]);
    if (!what.empty() && !check.value("same", true) && check.contains("after") &&
        compareAnswers(*answer, check["after"], check["tol"]).empty())
        return "; computes what the original's result computes";
    if (!what.empty())
        return "; computes something else: " + what;
    return "; computes the same";
}

void runCase(const json& testCase, const std::string& file, Tally& tally)
{
    const std::string name = file + "/" + testCase["name"].get<std::string>();
    const bool fails = testCase["status"] != "ok";
    if (testCase.value("unstable", false))
        return tally.skipped(name, "TensorFlow itself does not repeat it");
    const auto recipe =
        parseRecipe(testCase["transforms"].get<std::string>(), RecipeSyntax::Original);
    if (!recipe)
        return tally.check(fails, name, "the recipe is refused: " + recipe.error().message);
    const auto graph = readGraph(inputBytes(testCase), name);
    if (!graph)
        return tally.check(fails, name, "the graph is refused: " + graph.error().message);
    const RecipeRun run = runRecipe(*graph, *recipe, names(testCase["inputs"]),
                                    names(testCase["outputs"]), Job(), StepCheck::Names);
    if (!run.ok())
        return tally.check(fails, name, "failed: " + run.fault);
    if (fails)
        return tally.differs(name, "recorded: " +
                                       testCase.value("error", json(testCase["status"])).dump());
    const std::string difference = compareResult(testCase, run.result(*graph));
    if (difference.empty())
        return tally.held(name);
    const std::string numbers = numbersAfter(testCase, run.result(*graph));
    if (numbers.find("no kernel for") != std::string::npos)
        return tally.skipped(name, "needs kernels that are not part of this program yet");
    tally.count("differ: " + numbers.substr(2, numbers.find(':') - 2));
    const bool isHarmless =
        !numbers.starts_with("; computes something else") && !numbers.starts_with("; does not run");
    tally.differs(name, difference + numbers, isHarmless);
}

void runFolder(const std::string& folder)
{
    if (!present("goldens/" + folder))
        return;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(dataRoot()); // recipes name files from there
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(dataRoot() / "goldens" / folder))
        if (entry.path().extension() == ".jsonl")
            files.push_back(entry.path());
    std::ranges::sort(files);
    Tally tally(folder);
    for (const auto& file : files)
        for (const json& testCase : loadCases(file))
            runCase(testCase, file.stem().string(), tally);
    std::filesystem::current_path(before);
    tally.finish();
}

TEST_CASE("transforms make of a graph what was recorded", "[transforms]")
{
    runFolder("transforms");
}

TEST_CASE("recipes make of a graph what was recorded", "[recipes]")
{
    runFolder("recipes");
}

} // namespace
} // namespace lapidary::goldens
