// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/transform_cases.h"

#include "graph_model/read/model_file.h"
#include "tests/goldens/error_reasons.h"
#include "tests/goldens/graph_digest.h"
#include "tests/goldens/prove_numbers.h"
#include "tests/goldens/same_graph.h"

#include <algorithm>

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

std::string inputBytes(const json& testCase)
{
    if (testCase.contains("graph_file"))
        return readBytes(dataRoot() / testCase["graph_file"].get<std::string>());
    return decodeBase64(testCase["graph"].get<std::string>());
}

// The original merges nodes in the order of their hashes and leaves them in that order.
bool mergesNodes(const json& testCase)
{
    const std::string recipe = testCase["transforms"].get<std::string>();
    return recipe.find("quantize_nodes") != std::string::npos ||
           recipe.find("merge_duplicate_nodes") != std::string::npos;
}

std::string orderDifference(const Graph& ours, const Graph& theirs)
{
    for (std::uint32_t i = 0; i < ours.size(); ++i)
        if (ours.node(NodeId{i}).name() != theirs.node(NodeId{i}).name())
            return "node " + std::to_string(i) + " is " + std::string(ours.node(NodeId{i}).name()) +
                   ", recorded " + std::string(theirs.node(NodeId{i}).name());
    return "";
}

std::string compareResult(const json& testCase, const Graph& ours, const Graph& input)
{
    if (testCase.contains("result_digest"))
        return digestDifference(ours, testCase["result_digest"]);
    const auto expected = readGraph(decodeBase64(testCase["result"].get<std::string>()), "result");
    if (!expected)
        return ours.size() == 0 ? "" : "the recorded result has no nodes";
    const bool merges = mergesNodes(testCase);
    const std::string difference = differenceTo(ours, **expected, input, merges);
    const bool isSorted =
        testCase["transforms"].get<std::string>().ends_with("sort_by_execution_order");
    return difference.empty() && isSorted && !merges ? orderDifference(ours, **expected)
                                                     : difference;
}

// Returns how a recording contradicts its own result.
std::string faultOf(const json& testCase)
{
    if (testCase.contains("after_error"))
        return "cannot be run: " + testCase["after_error"].dump();
    if (testCase.contains("check") && !testCase["check"].value("same", true))
        return "computes something else";
    return "";
}

// Counts a case that this program refuses; `what` names the failed step.
void tallyRefusal(const json& testCase, const std::string& name, const std::string& what,
                  const std::string& message, Tally& tally)
{
    const std::string status = testCase["status"].get<std::string>();
    if (status == "ok")
        return tally.differs(name, what + ": " + message, Proof{false, "there is no result"});
    if (status != "error")
        return tally.held(name); // it crashed or did not end
    const std::string fault = reasonFault(testCase["error"], message);
    tally.check(fault.empty(), name, fault);
}

void runCase(const json& testCase, const std::string& file, const RecipeRunner& run, Tally& tally)
{
    const std::string name = file + "/" + testCase["name"].get<std::string>();
    const std::string status = testCase["status"].get<std::string>();
    if (testCase.value("unstable", false))
        return tally.skipped(name, "TensorFlow itself does not repeat it");
    if (status == "ok" && !testCase.contains("result") && !testCase.contains("result_digest"))
        return tally.fails(name, "the recording has nothing to compare with");
    const auto recipe =
        parseRecipe(testCase["transforms"].get<std::string>(), RecipeSyntax::Original);
    if (!recipe)
        return tallyRefusal(testCase, name, "the recipe is refused", recipe.error().message, tally);
    const auto graph = readGraph(inputBytes(testCase), name);
    if (!graph)
        return tallyRefusal(testCase, name, "the graph is refused", graph.error().message, tally);
    const RecipeRun ran =
        run(*graph, *recipe, splitNames(testCase["inputs"]), splitNames(testCase["outputs"]));
    if (!ran.ok())
        return tallyRefusal(testCase, name, "failed", ran.fault, tally);
    const GraphPtr& ours = ran.result(*graph);
    const std::string difference =
        status == "ok" ? compareResult(testCase, *ours, **graph)
                       : "recorded: " + testCase.value("error", json(status)).dump();
    if (difference.empty())
        return tally.held(name, faultOf(testCase));
    const Proof proof = proveNumbers(testCase, *graph, ours);
    tally.count("differ: " + proof.text.substr(0, proof.text.find(':')));
    tally.differs(name, difference, proof);
}

} // namespace

RecipeRunner ownRunner()
{
    return [](const GraphPtr& graph, const Recipe& recipe, const std::vector<std::string>& inputs,
              const std::vector<std::string>& outputs) {
        return runRecipe(graph, recipe, inputs, outputs, Job(), {StepCheck::Names});
    };
}

void runTransformCases(const std::string& folder, const RecipeRunner& run, Tally& tally)
{
    for (const auto& file : caseFiles("goldens/" + folder))
        for (const json& testCase : loadCases(file))
            runCase(testCase, file.stem().string(), run, tally);
}

} // namespace lapidary::goldens
