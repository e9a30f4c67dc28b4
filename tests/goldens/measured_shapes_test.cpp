// SPDX-License-Identifier: Apache-2.0
// Inferred shapes compared with those of every tensor that a run computes, and the share of labeled
// tensors.
#include "graph_model/read/model_file.h"
#include "runner/shapes/infer_shapes.h"
#include "tests/catch.h"
#include "tests/goldens/run_cases.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <set>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Endpoint endpointOf(const Graph& graph, const std::string& tensor)
{
    const Input input = parseInput(tensor);
    return {graph.find(input.node), input.port};
}

ShapeOptions givenShapes(const Graph& graph, const std::vector<std::pair<std::string, Shape>>& fed)
{
    ShapeOptions options;
    for (const auto& [name, shape] : fed)
        options.given.emplace_back(endpointOf(graph, name), shape);
    return options;
}

struct Measured {
    std::size_t tensors = 0;
    std::size_t exact = 0; // inferred, with all sizes
    std::string firstWrong;
};

// Handles are not tensors: TensorFlow's rules for handles of TensorArrays are those of older
// versions.
void compareOutputs(const Graph& graph, const InferredShapes& shapes, NodeId node,
                    std::span<const Value> outputs, Measured& measured)
{
    for (std::size_t port = 0; port < outputs.size(); ++port) {
        const Value& value = outputs[port];
        const TensorLabel* label = shapes.find({node, std::int32_t(port)});
        if (!value.isSet() || value.dtype() == DType::Resource || label == nullptr)
            continue;
        ++measured.tensors;
        const Shape ours{value.dims(), false};
        if (label->shape == ours)
            ++measured.exact;
        else if (!refines(ours, label->shape) && measured.firstWrong.empty())
            measured.firstWrong = std::string(graph.node(node).name()) + ":" +
                                  std::to_string(port) + " is " + shapeText(ours) + ", inferred " +
                                  shapeText(label->shape);
        if (label->dtype != value.dtype() && measured.firstWrong.empty())
            measured.firstWrong = std::string(graph.node(node).name()) + " is of another dtype";
    }
}

// Returns an error if the run fails; another test compares its results.
Result<Measured> measure(const GraphPtr& graph, const json& testCase)
{
    Session session(graph, SessionOptions{});
    if (const std::string missing = missingOps(session, testCase); !missing.empty())
        return Error{ErrorCode::Unsupported, "no kernel: " + missing};
    RunRequest request;
    std::vector<std::pair<std::string, Shape>> fed;
    for (const auto& [name, tensor] : testCase["feeds"].items()) {
        ASSIGN_OR_RETURN(auto value, decodeTensor(tensor, session.pool()));
        fed.emplace_back(name, Shape{value.dims(), false});
        request.feeds.emplace_back(name, std::move(value));
    }
    request.fetches = testCase["fetches"].get<std::vector<std::string>>();
    ASSIGN_OR_RETURN(const auto shapes, inferShapes(*graph, givenShapes(*graph, fed), Job()));
    Measured measured;
    const auto observe = [&](const NodeRun& run, std::span<const Value> outputs) {
        if (run.function.empty())
            compareOutputs(*graph, shapes, run.node, outputs, measured);
    };
    const auto values = session.run(request, Job(), observe);
    if (!values)
        return Error{ErrorCode::Unsupported, "does not run: " + values.error().message};
    return measured;
}

TEST_CASE("every inferred shape is the measured one", "[measured_shapes]")
{
    if (!present("goldens/runs"))
        return;
    Tally tally("measured_shapes");
    std::set<std::string> seen;
    std::size_t tensors = 0;
    std::size_t exact = 0;
    for (const fs::path& file : caseFiles("goldens/runs")) {
        if (file.stem() == "saved_models") // checkpoints have their variables
            continue;
        for (const json& testCase : loadCases(file)) {
            const std::string name = testCase.value("graph_file", "");
            if (name.empty() || testCase.contains("init") || !testCase.contains("feeds") ||
                !seen.insert(name).second)
                continue;
            const auto model = readModel((dataRoot() / name).string(), Job(), {.check = false});
            if (!model || model.value().isRefused()) {
                tally.skipped(name, "no graph to read");
                continue;
            }
            const auto measured = measure(model.value().graphs.front().graph, testCase);
            if (!measured) {
                tally.skipped(name, measured.error().message);
                continue;
            }
            tensors += measured->tensors;
            exact += measured->exact;
            tally.check(measured->firstWrong.empty(), name, measured->firstWrong);
        }
    }
    std::cout << tensors << " tensors measured, " << exact << " inferred with every size\n";
    tally.finish();
}

// The graph is frozen: it has only inputs and constants.
bool isFrozen(const json& model)
{
    static const std::set<std::string> open{
        "IteratorGetNext", "QueueDequeueManyV2", "QueueDequeueV2", "RestoreV2",
        "VarHandleOp",     "Variable",           "VariableV2"};
    if (!model.value("runnable", false))
        return false;
    return std::ranges::none_of(open, [&](const auto& op) { return model["ops"].contains(op); });
}

TEST_CASE("the edges of frozen models are labeled", "[labeled_edges]")
{
    if (!present("models"))
        return;
    std::vector<std::pair<double, std::string>> shares;
    for (const json& model : loadJson(dataRoot() / "models/models.json")) {
        const std::string path = model["path"];
        if (!isFrozen(model) || !fs::exists(dataRoot() / path))
            continue;
        const auto file = readModel((dataRoot() / path).string(), Job(), {.check = false});
        if (!file || file.value().isRefused())
            continue;
        const Graph& graph = *file.value().graphs.front().graph;
        std::vector<std::pair<std::string, Shape>> fed;
        const json feeds = model.value("feeds", json::object());
        for (const auto& [name, feed] : feeds.items())
            fed.emplace_back(name, Shape{feed["shape"].get<std::vector<std::int64_t>>(), false});
        const auto shapes = inferShapes(graph, givenShapes(graph, fed), Job());
        REQUIRE(shapes.ok());
        const auto edges = shapes->countEdges(graph);
        if (edges.data == 0)
            continue;
        shares.emplace_back(double(edges.ranked) / double(edges.data), path);
        INFO(path);
        CHECK(shares.back().first >= 0.95);
        CHECK(shapes->conflicts().empty());
    }
    if (shares.empty())
        return;
    std::ranges::sort(shares);
    std::cout << shares.size() << " frozen models, share of labeled data edges: least "
              << std::setprecision(4) << shares.front().first << " (" << shares.front().second
              << "), median " << shares[shares.size() / 2].first << '\n';
}

} // namespace
} // namespace lapidary::goldens
